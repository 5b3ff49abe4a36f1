import { diffWords } from 'diff';

import { usePages } from '../../api/use-pages.ts';
import { linkTo } from '../../app/location.ts';
import { StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { CONCEPT_HISTORY, CONCEPTS, type ConceptItem, type ConceptVersion } from './queries.ts';
import { recordedOnly } from './recorded-only.ts';

const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** What is understood of the entity, version by version, with the words that came and went. */
export function Concepts({ scope, topic }: { readonly scope: string; readonly topic: string }) {
  const variables = { scope, topic, asOf: recordedOnly() };
  const pages = usePages(CONCEPTS, variables, ({ concepts }) => concepts ?? NO_PAGE);
  return (
    <Panel title="Concepts">
      {pages.state === 'end' && pages.items.length === 0 && (
        <p class="soft">Nothing is understood of it yet.</p>
      )}
      {pages.items.map((concept) => (
        <Concept key={concept.id} concept={concept} />
      ))}
      <Pager pages={pages} />
    </Panel>
  );
}

function Concept({ concept: { id, name, version } }: { readonly concept: ConceptItem }) {
  const pages = usePages(
    CONCEPT_HISTORY,
    { id, asOf: recordedOnly() },
    ({ conceptHistory }) => conceptHistory ?? NO_PAGE,
  );
  const versions = pages.items.map((one, i) => ({ one, before: pages.items[i - 1] ?? null })).reverse();
  return (
    <section class="entity-concept">
      <h3>
        <a href={linkTo('why', [], { id })}>{name}</a>{' '}
        <span class="small soft">
          {version} {version === 1 ? 'version' : 'versions'}, the newest first
        </span>
      </h3>
      <Pager pages={pages} />
      <ol class="entity-versions">
        {versions.map(({ one, before }) => (
          <Version key={one.version} version={one} before={before} />
        ))}
      </ol>
    </section>
  );
}

function Version({
  version,
  before,
}: {
  readonly version: ConceptVersion;
  readonly before: ConceptVersion | null;
}) {
  const { summary, stance, confidence, factCount, recordedFrom, causedBy } = version;
  return (
    <li>
      <p class="small soft entity-version-head">
        Version {version.version}, <Instant at={recordedFrom} /> <StanceBadge stance={stance} />{' '}
        <Confidence value={confidence} /> {factCount} {factCount === 1 ? 'fact' : 'facts'}
        {causedBy.startsWith('evt_') && (
          <a href={linkTo('why', [], { id: causedBy })}>what brought it about</a>
        )}
      </p>
      <p class="entity-summary">
        {before === null ? summary : <Changed before={before.summary} after={summary} />}
      </p>
    </li>
  );
}

/** A text with what came and went since the one before; signs, lines and words say so, not the colour. */
function Changed({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <>
      {diffWords(before, after).map(({ value, added, removed }, i) => {
        if (added)
          return (
            <ins key={i}>
              <span class="sr-only">came: </span>
              {value}
            </ins>
          );
        if (removed)
          return (
            <del key={i}>
              <span class="sr-only">went: </span>
              {value}
            </del>
          );
        return <span key={i}>{value}</span>;
      })}
    </>
  );
}
