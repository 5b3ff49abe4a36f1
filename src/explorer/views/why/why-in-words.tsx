import type { AsOf, Document } from '../../api/document.ts';
import { useQuery } from '../../api/use-query.ts';
import { asOf } from '../../app/location.ts';
import { Panel } from '../../components/panel.tsx';
import { Shown } from '../../components/shown.tsx';
import { BELIEF_WHY, FACT_WHY } from './queries.ts';

interface Narrative {
  readonly narrative: string;
  readonly narrativeModel: string | null;
}

/** Why a fact is known, or a belief held, in sentences; the service tells it of these two alone. */
export function WhyInWords({ id, depth }: { readonly id: string; readonly depth: number }) {
  if (id.startsWith('fact_'))
    return <InWords document={FACT_WHY} of={({ factWhy }) => factWhy} id={id} depth={depth} />;
  if (id.startsWith('belief_'))
    return <InWords document={BELIEF_WHY} of={({ beliefWhy }) => beliefWhy} id={id} depth={depth} />;
  return null;
}

function InWords<Data>({
  document,
  of,
  id,
  depth,
}: {
  readonly document: Document<Data, { id: string; depth: number; asOf: AsOf | null }>;
  readonly of: (data: Data) => Narrative | null;
  readonly id: string;
  readonly depth: number;
}) {
  const query = useQuery(document, { id, depth, asOf: asOf.value });
  return (
    <Panel title="In words">
      <Shown query={query} lines={3}>
        {(data) => {
          const why = of(data);
          return (
            why && (
              <div class="why-narrative">
                {why.narrative.split('\n').map((line, i) => (
                  <p key={i}>{line}</p>
                ))}
                <p class="small soft">
                  {why.narrativeModel === null
                    ? 'Made of the records alone.'
                    : `Told by ${why.narrativeModel}.`}
                </p>
              </div>
            )
          );
        }}
      </Shown>
    </Panel>
  );
}
