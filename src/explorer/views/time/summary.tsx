import { useMemo } from 'preact/hooks';

import { Badge } from '../../components/badge.tsx';
import { ErrorNotice, Note } from '../../components/notice.tsx';
import { counted } from '../../components/counted.ts';
import { MOST_PAGES, type Chosen } from './choice.ts';
import { choose } from './chosen.ts';
import { drawnEdges } from './graph-model.ts';
import { MarkWord } from './node-list.tsx';
import type { ScopeGraph } from './use-graph.ts';

/** How much is shown, how much is not, and the way to more. */
export function Summary({ chosen, graph }: { readonly chosen: Chosen; readonly graph: ScopeGraph }) {
  const { model, pages, diff, changes } = graph;
  const [first] = pages.items;
  const edges = useMemo(() => drawnEdges(model).length, [model]);
  const shown = `${counted(model.nodes.size, 'node')} and ${counted(edges, 'edge')}`;
  const isReading = pages.state === 'loading' || diff.state === 'loading';
  return (
    <div class="time-summary">
      {chosen.isLive && changes.refusal === null && !changes.isOver && (
        <Badge icon="play" tone="good">
          follows what happens, at now
        </Badge>
      )}
      <p role="status">
        {isReading && 'Reading… '}
        {pages.items.length > 0 && `${shown}${isPartial(graph) ? ': the newest of the scope' : ''}.`}
        {pages.items.some(({ withheldScopes }) => withheldScopes > 0) &&
          ' Some scopes are withheld from you.'}
      </p>
      <Compared graph={graph} />
      {first?.ambiguousEntity?.map(({ name, ids }) => (
        <Note key={name}>
          <p>
            “{name}” is the name of {counted(ids.length, 'entity', 'entities')}; all of them are shown.
          </p>
        </Note>
      ))}
      {pages.refusal !== null && <ErrorNotice refusal={pages.refusal} retry={pages.more} />}
      {diff.refusal !== null && <ErrorNotice refusal={diff.refusal} retry={diff.more} />}
      {changes.refusal !== null && <ErrorNotice refusal={changes.refusal} />}
      {changes.isOver && <Note>You may not follow this scope any more.</Note>}
      {isPartial(graph) && <More chosen={chosen} />}
    </div>
  );
}

/** Whether the service has more than was read. */
function isPartial({ pages, diff }: ScopeGraph): boolean {
  const isOpen = (state: string): boolean => state === 'ready' || state === 'loading';
  return (
    (isOpen(pages.state) && pages.items.at(-1)?.pageInfo.hasNextPage === true) ||
    (isOpen(diff.state) && diff.items.at(-1)?.pageInfo.hasNextPage === true)
  );
}

function Compared({ graph: { comparison } }: { readonly graph: ScopeGraph }) {
  if (comparison === null) return null;
  const count = (mark: string): number =>
    [...comparison.nodes.values()].filter((each) => each === mark).length;
  return (
    <ul class="compared" aria-label="What became of the nodes">
      {(['appeared', 'gone', 'changed'] as const).map((mark) => (
        <li key={mark}>
          <MarkWord mark={mark} /> {counted(count(mark), 'node')}
        </li>
      ))}
      <li class="soft">{counted(comparison.unchanged.nodes, 'node')} as before</li>
    </ul>
  );
}

function More({ chosen: { pages } }: { readonly chosen: Chosen }) {
  if (pages >= MOST_PAGES)
    return <p class="soft">More than that is not drawn at once: choose kinds, an entity or a text.</p>;
  return (
    <div class="form-row">
      <button
        type="button"
        class="button"
        onClick={() => {
          choose({ pages: String(pages + 1) });
        }}
      >
        Show more
      </button>
      <button
        type="button"
        class="button button-quiet"
        onClick={() => {
          choose({ pages: String(MOST_PAGES) });
        }}
      >
        As many as can be drawn
      </button>
    </div>
  );
}
