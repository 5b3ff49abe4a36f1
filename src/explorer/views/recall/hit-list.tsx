import { Badge, StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { Panel } from '../../components/panel.tsx';
import { scope as lookedAt } from '../../app/location.ts';
import { MANY_OF, type MemoryRecord } from '../../records/record.ts';
import { WhyLink } from '../../records/why-link.tsx';
import { FUNDED } from './asked.ts';
import { hitsOf, type Hit } from './hits.ts';
import { hitId } from './marker.ts';
import type { Pack, Signal } from './queries.ts';

const SIGNALS: Readonly<Record<Signal, string>> = {
  keyword: 'by its words',
  vector: 'by its meaning',
  graph: 'by an entity of the question',
  recency: 'by its age',
};

/** All hits, layer by layer. */
export function Hits({
  pack,
  markers,
}: {
  readonly pack: Pack;
  readonly markers: ReadonlyMap<string, string>;
}) {
  return (
    <div class="hit-layers">
      {FUNDED.map((layer) => ({ layer, hits: hitsOf(pack, layer) }))
        .filter(({ hits }) => hits.length > 0)
        .map(({ layer, hits }) => (
          <Panel title={MANY_OF[layer]} key={layer} aside={<span class="soft">{hits.length}</span>}>
            <ol class="hits">
              {hits.map((hit) => (
                <HitLine hit={hit} marker={markers.get(hit.id) ?? null} key={hit.id} />
              ))}
            </ol>
          </Panel>
        ))}
    </div>
  );
}

function HitLine({ hit, marker }: { readonly hit: Hit; readonly marker: string | null }) {
  const { words, score, matchedBy, fragments, cut, at, scope } = hit;
  return (
    <li class="hit" {...(marker === null ? {} : { id: hitId(marker), tabIndex: -1 })}>
      <span class="hit-marker">{marker ?? '–'}</span>
      <div class="hit-text">
        <p>{words ?? 'It has gone since.'}</p>
        {fragments.map((fragment) => (
          <blockquote class="fragment" key={fragment}>
            {fragment}
          </blockquote>
        ))}
        <p class="hit-why small">
          <span title="How well it matches; comparable within the pack">
            <span class="sr-only">matches </span>
            <Confidence value={score} />
          </span>
          <span class="soft">{matchedBy.map((signal) => SIGNALS[signal]).join(', ')}</span>
          {cut !== null && (
            <Badge icon="dash" tone="warn">
              an excerpt
            </Badge>
          )}
          <Stance record={hit.record} />
        </p>
        <p class="small soft">
          {hit.record?.__typename === 'Event' && <>{hit.record.observedActor.id} · </>}
          {at !== null && <Instant at={at} />}
          {scope !== null && scope !== lookedAt.value && (
            <>
              {' '}
              · <code>{scope}</code>
            </>
          )}
          {marker === null && ' · not in the text'} <WhyLink id={hit.id} />
        </p>
      </div>
    </li>
  );
}

function Stance({ record }: { readonly record: MemoryRecord | null }) {
  return record?.__typename === 'Belief' || record?.__typename === 'Concept' ? (
    <StanceBadge stance={record.stance} />
  ) : null;
}
