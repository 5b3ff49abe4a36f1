import { useMemo, useState } from 'preact/hooks';

import { connection } from '../../api/connection.ts';
import { scope } from '../../app/location.ts';
import { Empty, Note, Skeleton } from '../../components/notice.tsx';
import { Panel } from '../../components/panel.tsx';
import { Picture } from '../../components/picture.tsx';
import type { Chosen } from './choice.ts';
import { chosen, moveTo } from './chosen.ts';
import { Filters } from './filters.tsx';
import { GraphDrawing, type Hold } from './graph-drawing.tsx';
import { NodeDetails } from './node-details.tsx';
import { NodeList } from './node-list.tsx';
import { Summary } from './summary.tsx';
import { TimeControls } from './time-controls.tsx';
import './time.css';
import { useGraph, type ScopeGraph } from './use-graph.ts';

/** How much nearer or farther a press of a button goes. */
const ZOOM = 1.5;

/** The graph of a scope at any two instants, what became of it between them, and as it happens. */
export function Time() {
  const { value: path } = scope;
  return (
    <div class="view time-view">
      <header class="view-head">
        <h1>Time</h1>
        <p class="soft">What is known in a scope at any two instants, and what became of it.</p>
      </header>
      {path === null ? (
        <Empty title="No scope is chosen.">
          <p>Choose one in the bar at the top.</p>
        </Empty>
      ) : (
        <TimeOfScope key={path} path={path} />
      )}
    </div>
  );
}

function TimeOfScope({ path }: { readonly path: string }) {
  const now = chosen.value;
  const graph = useGraph(path, now);
  const { pages, diff, model } = graph;
  const isReading = pages.state === 'loading' || diff.state === 'loading';
  const isFirst = pages.items.length === 0 && pages.state === 'loading';
  const isRefused = pages.items.length === 0 && pages.state === 'refused';
  return (
    <>
      <Panel title={path}>
        <Filters chosen={now} />
        {/* The sliders read after the picture, for which somebody waits. */}
        {isFirst || isRefused ? (
          <Summary chosen={now} graph={graph} />
        ) : (
          <TimeControls scope={path} chosen={now} isReading={isReading}>
            <Summary chosen={now} graph={graph} />
          </TimeControls>
        )}
      </Panel>
      {isFirst &&
        (connection.value.is === 'away' ? <Note>{connection.value.why}</Note> : <Skeleton lines={8} />)}
      {!isFirst && model.nodes.size === 0 && pages.state === 'end' && (
        <Empty title="Nothing is known here at these instants.">
          <p>Move one of the two times, or take a filter away.</p>
        </Empty>
      )}
      {!isFirst && <Drawn path={path} chosen={now} graph={graph} />}
    </>
  );
}

function Drawn({
  path,
  chosen: now,
  graph,
}: {
  readonly path: string;
  readonly chosen: Chosen;
  readonly graph: ScopeGraph;
}) {
  const { model, comparison } = graph;
  const [held, setHeld] = useState<Hold | null>(null);
  const node = now.node === null ? null : (model.nodes.get(now.node) ?? null);
  const shown = useMemo(
    () => ({ model, comparison, chosen: node?.id ?? null }),
    [model, comparison, node?.id],
  );
  return (
    <div class="panel" hidden={model.nodes.size === 0}>
      <Toolbar held={held} />
      <Picture
        title={`The graph of ${path}`}
        list={
          <>
            {node !== null && (
              <NodeDetails key={node.id} node={node} scope={path} chosen={now} graph={graph} />
            )}
            {now.node !== null && node === null && <Note>The chosen node is not in what is shown.</Note>}
            <NodeList model={model} comparison={comparison} chosen={now.node} />
          </>
        }
      >
        <GraphDrawing
          shown={shown}
          choose={(id) => {
            moveTo({ node: id ?? '' });
          }}
          hold={setHeld}
        />
      </Picture>
    </div>
  );
}

function Toolbar({ held }: { readonly held: Hold | null }) {
  const buttons = [
    ['Nearer', () => held?.zoom(1 / ZOOM)],
    ['Farther', () => held?.zoom(ZOOM)],
    ['Show all', () => held?.fit()],
    ['Arrange again', () => held?.arrange()],
  ] as const;
  return (
    <div class="time-toolbar" role="group" aria-label="Picture">
      {buttons.map(([title, act]) => (
        <button type="button" class="button" key={title} disabled={held === null} onClick={act}>
          {title}
        </button>
      ))}
    </div>
  );
}
