import { duration } from '../../components/instant.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { linkWith } from '../../app/location.ts';
import { recordInWords } from '../../records/record.ts';
import type { Candidate, Pack, Phase } from './queries.ts';

const STEPS: readonly Column<Phase>[] = [
  { title: 'Step', cell: ({ phase }) => phase },
  { title: 'Took', cell: ({ elapsedMs }) => duration(elapsedMs), isNumber: true },
  { title: 'Found', cell: ({ values }) => <code class="small">{shortly(values)}</code> },
];

/** How a pack came about: its steps, and with full diagnostics every candidate with its places in the lists that were fused. */
export function Ranking({ pack }: { readonly pack: Pack }) {
  const { trail } = pack.provenance;
  const { items, drops, itemsTruncated } = pack.diagnostics;
  return (
    <Panel title="How it came about">
      <Table caption="Steps of the recall" columns={STEPS} rows={trail} keyOf={({ phase }) => phase} />
      {items === null ? (
        <p class="soft ranking-offer">
          <a href={linkWith({ detail: 'full' })}>Tell how everything was ranked</a>
        </p>
      ) : (
        <>
          <h3 class="ranking-head">Candidates</h3>
          <Table
            caption="Candidates in the order of their ranks"
            columns={candidateColumns(pack)}
            rows={items}
            keyOf={({ eventId }) => eventId}
          />
          {itemsTruncated === true && <p class="soft">There were more candidates than are shown.</p>}
          {(drops ?? []).map(({ eventId, reason }) => (
            <p class="small" key={eventId}>
              Left out: <code>{eventId}</code>,{' '}
              {reason === 'time_range'
                ? 'it lies outside of the instants asked for'
                : 'a filter does not want it'}
              .
            </p>
          ))}
        </>
      )}
    </Panel>
  );
}

/** A column for each list that any candidate is in: its place there, and its score. */
function candidateColumns({ layers, diagnostics }: Pack): readonly Column<Candidate>[] {
  const lists = [...new Set((diagnostics.items ?? []).flatMap(({ channels }) => Object.keys(channels)))];
  const words = new Map(
    layers.events.map(({ id, event }) => [
      id,
      event === null ? null : recordInWords({ __typename: 'Event', id, ...event }),
    ]),
  );
  return [
    {
      title: 'Event',
      cell: ({ eventId }) => <span class="candidate">{words.get(eventId) ?? eventId}</span>,
    },
    { title: 'In the pack', cell: ({ finalRank }) => placeOf(finalRank), isNumber: true },
    { title: 'Fused', cell: ({ fusedRank }) => placeOf(fusedRank), isNumber: true },
    ...lists.map((list): Column<Candidate> => ({
      title: list,
      cell: ({ channels }) => {
        const place = channels[list];
        return place === undefined ? '–' : `${placeOf(place.rank)} (${place.score.toFixed(2)})`;
      },
      isNumber: true,
    })),
    { title: 'Found by', cell: ({ matchedVia }) => matchedVia.join(', ') },
  ];
}

/** Places are counted from 0 by the service, and from 1 by people. */
function placeOf(rank: number | null): string {
  return rank === null ? '–' : String(rank + 1);
}

function shortly(values: unknown): string {
  if (typeof values !== 'object' || values === null) return JSON.stringify(values);
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('; ');
}
