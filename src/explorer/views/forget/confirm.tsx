import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { isOpen, session } from '../../api/session.ts';
import { useAct } from '../../api/use-act.ts';
import { goTo, linkWith } from '../../app/location.ts';
import { Boxes, textOf } from '../../components/choices.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { toast } from '../../components/toast.tsx';
import { forgotten, removals } from './forgotten.ts';
import type { Looked } from './looked.ts';
import { ERASE, FORGET, type Executed } from './queries.ts';
import { countsInWords, selectionInWords, type How } from './selection.ts';

/** Says once more what will be gone and by whom, and has it done. */
export function Confirm({
  looked,
  done,
  close,
}: {
  readonly looked: Looked;
  readonly done: () => void;
  readonly close: () => void;
}) {
  const { how, selected, goes, revised, previewId } = looked;
  const { isBusy, refusal, start } = useAct();
  const [typed, setTyped] = useState('');
  const isErasure = how === 'erase';
  const execute = (form: FormData): void => {
    const note = textOf(form, 'note');
    const input: Executed = {
      scope: selected.scope,
      fromPreviewId: previewId,
      ...(form.has('suppress') ? { suppress: true } : {}),
      ...(note === '' ? {} : { auditNote: note }),
    };
    start(async (signal) => {
      if (isErasure) await erase(input, signal);
      else await forget(input, signal);
      removals.value += 1;
      done();
    });
  };
  return (
    <Dialog title={isErasure ? 'Erase for good?' : 'Forget for good?'} {...(isBusy ? {} : { close })}>
      <form
        class="confirm"
        onSubmit={(event) => {
          event.preventDefault();
          execute(new FormData(event.currentTarget));
        }}
      >
        <WhatGoes looked={looked} revised={countsInWords(revised)} goes={countsInWords(goes)} />
        <Field label="Why" name="note" hint="For people; it stays in the record of what was done." />
        <Afterwards how={how} scope={selected.scope} type={setTyped} />
        {refusal !== null && <ErrorNotice refusal={refusal} />}
        <div class="form-end">
          <button
            type="submit"
            class="button button-danger"
            disabled={isBusy || (isErasure && typed !== selected.scope)}
          >
            {isBusy ? 'Working…' : isErasure ? 'Erase' : 'Forget'}
          </button>
          <button type="button" class="button" disabled={isBusy} onClick={close}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Afterwards({
  how,
  scope,
  type,
}: {
  readonly how: How;
  readonly scope: string;
  readonly type: (typed: string) => void;
}) {
  const isErasure = how === 'erase';
  return (
    <>
      {(isErasure || how === 'redact_events') && (
        <Boxes
          label="Afterwards"
          name="suppress"
          chosen={[]}
          choices={[['yes', 'refuse what these events say when it is captured here again']]}
        />
      )}
      {isErasure && (
        <div
          class="field"
          onInput={(event) => {
            type((event.target as HTMLInputElement).value.trim());
          }}
        >
          <Field label={`Type ${scope}`} name="typed" isRequired />
        </div>
      )}
    </>
  );
}

function WhatGoes({
  looked: { how, selected },
  goes,
  revised,
}: {
  readonly looked: Looked;
  readonly goes: string;
  readonly revised: string;
}) {
  const who = session.value.is === 'in' ? session.value.who : null;
  return (
    <>
      <p>
        In <code>{selected.scope}</code>, of {selectionInWords(selected)}, these go: <strong>{goes}</strong>
        {revised !== '' && <>; revised are {revised}</>}. What goes is gone from every reading, past ones too,
        and cannot be brought back.
        {how === 'redact_events' && ' Of the events, id, place in the log and instant stay.'}
        {how === 'erase' &&
          ' Of the events, place in the log and instant stay. Events under legal hold stay.'}
      </p>
      {who !== null && (
        <p>
          The audit log will say that <strong>{who.caller}</strong> did it
          {isOpen(who) && ', as everybody is called where the service asks for no key'}.
        </p>
      )}
    </>
  );
}

async function forget(input: Executed, signal: AbortSignal): Promise<void> {
  forgotten.value = { scope: input.scope, ...(await forgetNow(input, signal)) };
  toast('It is forgotten.');
}

async function forgetNow(input: Executed, signal: AbortSignal) {
  const { forget: answer } = await ask(FORGET, { input }, signal);
  if (answer === null) throw new Error('a forget without an answer');
  return answer;
}

/** An erasure is a job: its address shows how it goes. */
async function erase(input: Executed, signal: AbortSignal): Promise<void> {
  const { erase: begun } = await ask(
    ERASE,
    { input: { ...input, idempotencyKey: input.fromPreviewId } },
    signal,
  );
  if (begun === null) throw new Error('an erasure without an answer');
  goTo(linkWith({ erasure: begun.erasureId }));
}
