import { useEffect, useRef } from 'preact/hooks';

import { ask } from '../../../api/ask.ts';
import { isAbort } from '../../../api/errors.ts';
import { follow } from '../../../api/follow.ts';
import { useAct } from '../../../api/use-act.ts';
import { useQuery } from '../../../api/use-query.ts';
import { linkTo, linkWith } from '../../../app/location.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { Instant } from '../../../components/instant.tsx';
import { KeyValue } from '../../../components/key-value.tsx';
import { ErrorNotice, Note } from '../../../components/notice.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Shown } from '../../../components/shown.tsx';
import { removals } from '../forgotten.ts';
import { countsInWords } from '../selection.ts';
import { phasesOf, type PhaseState } from './phases.ts';
import { CANCEL_ERASURE, ERASURE, ERASURE_FRAMES, type Erasure } from './queries.ts';
import { ReceiptOf } from './receipt.tsx';

const STATUSES: Readonly<Record<Erasure['status'], readonly [IconName, Tone]>> = {
  queued: ['clock', 'calm'],
  running: ['clock', 'warn'],
  completed: ['check', 'good'],
  failed: ['cross', 'bad'],
  cancelled: ['dash', 'calm'],
};

/** How an erasure goes, step by step as its frames arrive; once it is over, its receipt. */
export function ErasureRun({ id }: { readonly id: string }) {
  const erasure = useQuery(ERASURE, { id });
  const found = erasure.reading.is === 'refused' ? null : (erasure.reading.data?.erasure ?? null);
  const isUnderWay = found?.completedAt === null;
  const wasUnderWay = useRef(false);
  useEffect(() => {
    if (wasUnderWay.current && found !== null && !isUnderWay) removals.value += 1;
    if (found !== null) wasUnderWay.current = isUnderWay;
  }, [found, isUnderWay]);
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const gone = new AbortController();
    let since: string | null = null;
    const take = ({
      lifecycle,
    }: {
      readonly lifecycle: { readonly lifecycleId: string; readonly event: string };
    }) => {
      since = lifecycle.lifecycleId;
      erasure.reload();
      return lifecycle.event !== 'erasure_complete' && lifecycle.event !== 'policy_revoked';
    };
    follow(ERASURE_FRAMES, () => ({ job: id, since }), { take, signal: gone.signal }).catch(
      (error: unknown) => {
        // Whoever may not follow sees it when he looks again.
        if (!isAbort(error)) erasure.reload();
      },
    );
    return () => {
      gone.abort();
    };
  }, [id, isUnderWay]);
  return (
    <Panel
      title="Erasure"
      aside={
        <a href={linkWith({ erasure: '' })} class="small">
          Close
        </a>
      }
    >
      <Shown query={erasure} lines={4}>
        {({ erasure: shown }) => shown && <Run erasure={shown} reload={erasure.reload} />}
      </Shown>
    </Panel>
  );
}

function Run({ erasure, reload }: { readonly erasure: Erasure; readonly reload: () => void }) {
  const { id, status, counts, startedAt, completedAt, error, auditId, suppressionId } = erasure;
  const [icon, tone] = STATUSES[status];
  return (
    <div class="erasure">
      <p class="erasure-head">
        <Badge icon={icon} tone={tone}>
          {status}
        </Badge>
        <code>{id}</code>
      </p>
      <ol class="phases" aria-label="Steps">
        {phasesOf(erasure).map(({ title, state }) => (
          <li key={title} class={`phase phase-${state}`}>
            <Icon name={PHASE_ICONS[state]} />
            {title} <span class="sr-only">({state})</span>
          </li>
        ))}
      </ol>
      {completedAt === null && (
        <div class="erasure-progress" role="status">
          <progress
            max={Math.max(1, counts.eventsTotal)}
            value={counts.eventsDone}
            aria-label="Events erased"
          />
          <span class="number">
            {counts.eventsDone} of {counts.eventsTotal} events
          </span>
          <Cancel id={id} reload={reload} />
        </div>
      )}
      {error !== null && (
        <Note>
          {error.message} (<code>{error.errorCode}</code>)
        </Note>
      )}
      <KeyValue
        entries={[
          ['Gone', countsInWords(counts) || 'nothing'],
          ['Events held back', counts.eventsUnderLegalHold],
          ['Begun', <Instant key="from" at={startedAt} />],
          ['Over', completedAt === null ? 'not yet' : <Instant key="to" at={completedAt} />],
          [
            'Audit log',
            <a key="audit" href={linkTo('audit', [auditId])}>
              <code>{auditId}</code>
            </a>,
          ],
          ...(suppressionId === null
            ? []
            : [['Refused from now on by', <code key="s">{suppressionId}</code>] as const]),
        ]}
      />
      {completedAt !== null && <ReceiptOf id={id} />}
    </div>
  );
}

const PHASE_ICONS: Readonly<Record<PhaseState, IconName>> = {
  done: 'check',
  'under way': 'clock',
  'to come': 'circle',
  'left out': 'dash',
};

function Cancel({ id, reload }: { readonly id: string; readonly reload: () => void }) {
  const { isBusy, refusal, start } = useAct();
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={isBusy}
        onClick={() => {
          start(async (signal) => {
            await ask(CANCEL_ERASURE, { id }, signal);
            reload();
          });
        }}
      >
        Stop after this step
      </button>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
    </>
  );
}
