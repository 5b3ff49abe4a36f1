import type { ComponentChildren } from 'preact';

import { useQuery } from '../../api/use-query.ts';
import { asOf, linkTo } from '../../app/location.ts';
import { StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { RECORD, type RecordDetail, type Term } from './queries.ts';
import { textOf } from './words.ts';

type Entries = readonly (readonly [name: string, value: ComponentChildren])[];

/** The record that is chosen in a graph, and where to go from it. */
export function RecordPanel({
  id,
  isRoot,
  isOpen,
  toggle,
}: {
  readonly id: string;
  readonly isRoot: boolean;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}) {
  // Whatever is true at the valid instant: a graph has what was superseded as well.
  const recorded = asOf.value?.recorded;
  const query = useQuery(RECORD, { id, asOf: recorded === undefined ? null : { recorded } });
  return (
    <Panel title={isRoot ? 'What is asked about' : 'What is chosen'}>
      <Shown query={query} lines={5}>
        {({ node }) =>
          node && (
            <div class="why-record">
              <KeyValue entries={[...entriesOf(node), ['Id', <code key="id">{id}</code>]]} />
              <div class="form-row">
                {!isRoot && (
                  <a class="button" href={linkTo('why', [], { id })}>
                    Why this
                  </a>
                )}
                <button type="button" class="button" aria-pressed={isOpen} onClick={toggle}>
                  {isOpen ? 'Hide its neighbours' : 'Show its neighbours'}
                </button>
                <a class="button" href={linkTo('time', [], { scope: node.scope, recorded: knownAt(node) })}>
                  When it became known
                </a>
              </div>
            </div>
          )
        }
      </Shown>
    </Panel>
  );
}

function knownAt(record: RecordDetail): string {
  return record.__typename === 'Event' ? record.context.recordedAt : record.recordedFrom;
}

function entriesOf(record: RecordDetail): Entries {
  const scope = ['Scope', <code key="scope">{record.scope}</code>] as const;
  switch (record.__typename) {
    case 'Fact':
      return [
        ['Fact', <Statement key="s" {...record} />],
        ...timesOf(record),
        ['Confidence', <Confidence key="c" value={record.confidence} />],
        ['Read out by', record.extractor ?? 'unknown'],
        scope,
      ];
    case 'Belief':
      return [
        ['Belief', <Statement key="s" {...record} subject={record.claim.subject} />],
        ['Stance', <StanceBadge key="b" stance={record.stance} />],
        ['Confidence', <Confidence key="c" value={record.confidence} interval={record.confidenceInterval} />],
        ...timesOf(record),
        ['Evidence', record.supportCount],
        ['Revisions', record.revisionCount],
        scope,
      ];
    case 'Concept':
      return [
        ['Concept', <EntityLink key="e" scope={record.scope} id={record.entityId} name={record.name} />],
        ['Says', record.summary],
        ['Stance', <StanceBadge key="b" stance={record.stance} />],
        ['Confidence', <Confidence key="c" value={record.confidence} />],
        ['Version', record.version],
        ['Known since', <Instant key="r" at={record.recordedFrom} />],
        scope,
      ];
    case 'Episode':
      return [
        ['Episode', record.summary],
        ['Began', <Instant key="v" at={record.startedAt} />],
        ['Ended', record.endedAt === null ? 'it is open' : <Instant key="e" at={record.endedAt} />],
        scope,
      ];
    case 'Event':
      return [
        ['Event', textOf(record.content) ?? `a ${record.content.kind.replaceAll('_', ' ')}`],
        ['Observed', <Instant key="v" at={record.context.observedAt} />],
        ['Recorded', <Instant key="r" at={record.context.recordedAt} />],
        ['By', record.observedActor.id],
        ['Modality', record.modality],
        ...(record.context.labels.length === 0
          ? []
          : [['Labels', record.context.labels.join(', ')] as const]),
        scope,
      ];
  }
}

function timesOf({
  validFrom,
  validTo,
  recordedFrom,
  recordedTo,
}: {
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly recordedFrom: string;
  readonly recordedTo: string | null;
}): Entries {
  return [
    ['True from', <Instant key="vf" at={validFrom} />],
    ['True until', validTo === null ? 'no end' : <Instant key="vt" at={validTo} />],
    ['Known since', <Instant key="rf" at={recordedFrom} />],
    ...(recordedTo === null ? [] : [['Newest until', <Instant key="rt" at={recordedTo} />] as const]),
  ];
}

function Statement({
  scope,
  subject,
  predicate,
  object,
}: {
  readonly scope: string;
  readonly subject: Term;
  readonly predicate: string;
  readonly object: Term;
}) {
  return (
    <>
      <TermText scope={scope} term={{ ...subject, type: 'entity' }} /> {predicate.replaceAll('_', ' ')}{' '}
      <TermText scope={scope} term={object} />
    </>
  );
}

function TermText({ scope, term }: { readonly scope: string; readonly term: Term }) {
  if (term.type === 'literal' || term.id === undefined) return <>{String(term.value)}</>;
  return <EntityLink scope={scope} id={term.id} name={term.name ?? term.id} />;
}

function EntityLink({
  scope,
  id,
  name,
}: {
  readonly scope: string;
  readonly id: string;
  readonly name: string;
}) {
  return <a href={linkTo('entity', [], { scope, id })}>{name}</a>;
}
