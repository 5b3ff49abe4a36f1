import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { useAct } from '../../api/use-act.ts';
import { useQuery } from '../../api/use-query.ts';
import { address, linkTo } from '../../app/location.ts';
import { Badge } from '../../components/badge.tsx';
import { duration, Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { WhyLink } from '../../records/why-link.tsx';
import { Decision } from './decision.tsx';
import { AUDIT_ROW, VERIFY_ROW, type AuditRow, type RowVerification } from './queries.ts';

/** One row with all that it says, and whether a text is the body of its request. */
export function RowPanel({ id }: { readonly id: string }) {
  const row = useQuery(AUDIT_ROW, { id });
  return (
    <Panel title="Row" aside={<a href={linkTo('audit', [], address.value.parameters)}>Close</a>}>
      <Shown query={row} lines={5}>
        {({ auditRow }) =>
          auditRow && (
            <div class="audit-row">
              <Says row={auditRow} />
              <VerifyBody id={id} />
            </div>
          )
        }
      </Shown>
    </Panel>
  );
}

function Says({ row }: { readonly row: AuditRow }) {
  const { actor, endpoint, capability, decision, decidedByTier, scope, eventId, tokenJti, remote } = row;
  return (
    <KeyValue
      entries={[
        ['Row', <code key="id">{row.id}</code>],
        ['When', <Instant key="ts" at={row.ts} />],
        ['Who', actor ?? 'somebody unknown'],
        ...(tokenJti === null ? [] : [['Token', <code key="jti">{tokenJti}</code>] as const]),
        ...(remote === null ? [] : [['From', remote] as const]),
        ['Did', <code key="did">{endpoint}</code>],
        ['Where', scope === null ? 'no scope in particular' : <code key="scope">{scope}</code>],
        ['Capability', capability === null ? 'none' : <code key="capability">{capability}</code>],
        [
          'Decision',
          <span key="decision">
            <Decision decision={decision} />
            {decidedByTier !== null && <> by the tier {decidedByTier}</>}
          </span>,
        ],
        ['Status', row.responseStatus],
        ['Took', duration(row.elapsedMs)],
        ...(eventId === null
          ? []
          : [
              [
                'Event',
                <span key="event">
                  <code>{eventId}</code> <WhyLink id={eventId} />
                </span>,
              ] as const,
            ]),
        ['Request', <code key="request">{row.requestId}</code>],
        [
          'Hash of the body',
          row.requestSha256 === null ? 'none' : <code key="body">{row.requestSha256}</code>,
        ],
        ['Hash of the row', <code key="hash">{row.hash}</code>],
        ['Hash of the row before', <code key="prev">{row.prevHash}</code>],
      ]}
    />
  );
}

function VerifyBody({ id }: { readonly id: string }) {
  const [found, setFound] = useState<RowVerification | null>(null);
  const { isBusy, refusal, start } = useAct();
  return (
    <details class="audit-verify">
      <summary>Was this the body of the request?</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Blanks and line ends at its ends belong to the body.
          const typed = new FormData(event.currentTarget).get('body');
          const body = typeof typed === 'string' ? typed : '';
          start(async (signal) => {
            setFound((await ask(VERIFY_ROW, { id, body }, signal)).verifyAudit);
          });
        }}
      >
        <label>
          Body, as it was sent; empty for none
          <textarea name="body" spellcheck={false} />
        </label>
        <button type="submit" class="button" disabled={isBusy}>
          Compare
        </button>
      </form>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      {found !== null && (
        <p role="status">
          {found.valid ? (
            <Badge icon="check" tone="good">
              it is
            </Badge>
          ) : (
            <Badge icon="cross" tone="bad">
              it is not
            </Badge>
          )}{' '}
          {found.rowHashValid ? 'The row is as it was written.' : 'The row was changed since it was written.'}
        </p>
      )}
    </details>
  );
}
