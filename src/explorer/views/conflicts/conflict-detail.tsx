import { useEffect, useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import type { AsOf } from '../../api/document.ts';
import { useAct } from '../../api/use-act.ts';
import { useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { MissingRights, useMissing } from '../../components/missing-rights.tsx';
import { ErrorNotice, Note } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { toast } from '../../components/toast.tsx';
import { WhyLink } from '../../records/why-link.tsx';
import { SideOf } from './evidence.tsx';
import { CONFLICT, REOPEN, type Conflict } from './queries.ts';
import { Settle } from './settle.tsx';
import { questionOf, settlementInWords, sidesOf } from './sides.ts';
import { ConflictBadge } from './status.tsx';
import { useSubjectName } from './subject.tsx';

const EVERY_MS = 1000;

/** One conflict: both sides, and how it is settled or was. */
export function ConflictDetail({
  id,
  asOf,
  changed,
}: {
  readonly id: string;
  readonly asOf: AsOf | null;
  /** It is another one than the list says. */
  readonly changed: () => void;
}) {
  const [isReopening, setReopening] = useState(false);
  const conflict = useQuery(CONFLICT, { id, asOf }, isReopening ? { everyMs: EVERY_MS } : {});
  const status = conflict.reading.is === 'refused' ? null : (conflict.reading.data?.conflict?.status ?? null);
  useEffect(() => {
    if (!isReopening || status !== 'open') return;
    setReopening(false);
    toast('The conflict is open again.');
    changed();
  }, [isReopening, status]);
  return (
    <Shown query={conflict} lines={6}>
      {({ conflict: found }) =>
        found && (
          <Detail
            conflict={found}
            isPast={asOf !== null}
            isReopening={isReopening}
            reopening={() => {
              setReopening(true);
            }}
            settled={() => {
              conflict.reload();
              changed();
            }}
          />
        )
      }
    </Shown>
  );
}

function Detail({
  conflict,
  isPast,
  isReopening,
  reopening,
  settled,
}: {
  readonly conflict: Conflict;
  readonly isPast: boolean;
  readonly isReopening: boolean;
  readonly reopening: () => void;
  readonly settled: () => void;
}) {
  const name = useSubjectName(conflict);
  const missing = useMissing(conflict.scope, ['scope.write']);
  const mayWrite = missing === null || missing.length === 0;
  return (
    <div class="conflict-detail">
      <Panel title={questionOf(conflict, name)} aside={<ConflictBadge status={conflict.status} />}>
        <p class="small soft conflict-scope">
          In the scope <code>{conflict.scope}</code>
        </p>
        <div class="sides">
          {sidesOf(conflict).map((side, i) => (
            <SideOf side={side} number={i + 1} key={side.value} />
          ))}
        </div>
      </Panel>
      <Panel title={conflict.status === 'open' ? 'Settle it' : 'How it ended'}>
        {conflict.status !== 'open' && <Ended conflict={conflict} />}
        {isPast && <Note>This is what was known then. Look as of now to settle it or to undo that.</Note>}
        {!isPast && <MissingRights missing={missing} what="settle a conflict" />}
        {!isPast && mayWrite && conflict.status === 'open' && <Settle conflict={conflict} done={settled} />}
        {!isPast && mayWrite && conflict.resolution !== null && conflict.resolvedBy !== null && (
          <Undo event={conflict.resolvedBy} isReopening={isReopening} reopening={reopening} />
        )}
      </Panel>
    </div>
  );
}

function Ended({ conflict }: { readonly conflict: Conflict }) {
  const { resolution, resolvedAt, resolvedBy, status } = conflict;
  return (
    <KeyValue
      entries={[
        [
          'Outcome',
          resolution === null
            ? status === 'withdrawn'
              ? 'What one side rested on was denied since'
              : status
            : settlementInWords(conflict, resolution),
        ],
        ...(typeof resolution?.reason === 'string' ? [['Why', resolution.reason] as const] : []),
        ...(resolvedAt === null ? [] : [['When', <Instant key="at" at={resolvedAt} />] as const]),
        ...(resolvedBy === null
          ? []
          : [
              [
                'By the event',
                <span key="by">
                  <code>{resolvedBy}</code> <WhyLink id={resolvedBy} />
                </span>,
              ] as const,
            ]),
      ]}
    />
  );
}

function Undo({
  event,
  isReopening,
  reopening,
}: {
  readonly event: string;
  readonly isReopening: boolean;
  readonly reopening: () => void;
}) {
  const { isBusy, refusal, start } = useAct();
  const undo = (): void => {
    start(async (signal) => {
      await ask(REOPEN, { event }, signal);
      reopening();
    });
  };
  return (
    <div class="undo">
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      <div class="form-end">
        <button type="button" class="button" disabled={isBusy || isReopening} onClick={undo}>
          {isReopening ? 'Opening it again…' : 'Undo'}
        </button>
        <span class="small soft">Takes the event back that settled it: the conflict is open again.</span>
      </div>
    </div>
  );
}
