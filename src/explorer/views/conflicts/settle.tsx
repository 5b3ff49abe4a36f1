import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import type { Refusal } from '../../api/errors.ts';
import { useAct } from '../../api/use-act.ts';
import { Radios, Select, textOf, type Choice } from '../../components/choices.tsx';
import { Field } from '../../components/field.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { toast } from '../../components/toast.tsx';
import { NewInformation } from './new-information.tsx';
import { SETTLE, type Action, type Conflict } from './queries.ts';
import { settlementOf, sidesOf, type Filled } from './sides.ts';
import { statedBy } from './stated.ts';

const ACTIONS: readonly (readonly [Action, string, string])[] = [
  ['pick', 'One value holds', 'The others count no longer.'],
  ['split', 'One after the other', 'One value before a boundary, the other from there on.'],
  ['new_information', 'Something else holds', 'It takes the place of all of them.'],
  ['dismiss', 'It is no conflict', 'What counts stays as it is.'],
];

/** Asks how an open conflict is to be settled, and settles it. */
export function Settle({ conflict, done }: { readonly conflict: Conflict; readonly done: () => void }) {
  const [action, setAction] = useState<Action>('pick');
  const { isBusy, refusal, start } = useAct();
  const settle = (form: FormData): void => {
    const filled = filledIn(form);
    start(async (signal) => {
      const stated = action === 'new_information' ? await statedBy(conflict, filled, signal) : {};
      await ask(SETTLE, { id: conflict.id, input: settlementOf(action, filled, stated) }, signal);
      toast('The conflict is settled.');
      done();
    });
  };
  return (
    <form
      class="settle"
      onSubmit={(event) => {
        event.preventDefault();
        settle(new FormData(event.currentTarget));
      }}
    >
      <Radios
        label="How"
        name="action"
        value={action}
        choices={ACTIONS}
        choose={(value) => {
          setAction(value as Action);
        }}
      />
      <Fields action={action} conflict={conflict} refusal={refusal} />
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      <div class="form-end">
        <button type="submit" class="button button-main" disabled={isBusy}>
          {isBusy ? 'Settling…' : 'Settle'}
        </button>
        <span class="small soft">It is captured as an event of its own, and can be undone.</span>
      </div>
    </form>
  );
}

function filledIn(form: FormData): Filled {
  return {
    winner: textOf(form, 'winner'),
    earlier: textOf(form, 'earlier'),
    later: textOf(form, 'later'),
    boundary: textOf(form, 'boundary'),
    value: textOf(form, 'value'),
    kind: textOf(form, 'kind'),
    validFrom: textOf(form, 'validFrom'),
    validTo: textOf(form, 'validTo'),
    reason: textOf(form, 'reason'),
  };
}

function Fields({
  action,
  conflict,
  refusal,
}: {
  readonly action: Action;
  readonly conflict: Conflict;
  readonly refusal: Refusal | null;
}) {
  const sides: readonly Choice[] = sidesOf(conflict).flatMap(({ value, statements: [first] }) =>
    first === undefined ? [] : [[first.id, value] as const],
  );
  const [first = '', second = ''] = sides.map(([id]) => id);
  const errorOf = (name: string): string | null =>
    refusal?.field?.split('.').at(-1) === name ? refusal.message : null;
  const reason = <Field label="Why" name="reason" error={errorOf('reason')} isRequired />;
  return (
    <div class="settle-fields" key={action}>
      {action === 'pick' && <Select label="What holds" name="winner" value={first} choices={sides} />}
      {(action === 'pick' || action === 'dismiss') && reason}
      {action === 'split' && (
        <>
          <Select label="Held first" name="earlier" value={first} choices={sides} />
          <Select label="Then" name="later" value={second} choices={sides} />
          <Field
            label="From when on"
            name="boundary"
            hint="A date, such as 1962-05-01, or an instant of RFC 3339."
            error={errorOf('boundary')}
            isRequired
          />
        </>
      )}
      {action === 'new_information' && <NewInformation conflict={conflict} errorOf={errorOf} />}
    </div>
  );
}
