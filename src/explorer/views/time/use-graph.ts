import { useMemo, useState } from 'preact/hooks';

import type { AsOf } from '../../api/document.ts';
import { PAGE_SIZE, type Chosen } from './choice.ts';
import {
  applyChange,
  comparisonOf,
  modelOf,
  withGone,
  type Comparison,
  type GraphModel,
} from './graph-model.ts';
import { DIFF, GRAPH, type DiffPage, type GraphPage, type GraphSide } from './queries.ts';
import { useChanges, type Changes } from './use-changes.ts';
import { useWantedPages, wholePage, type WantedPages } from './use-wanted-pages.ts';

/** The graph of a scope as it is looked at. */
export interface ScopeGraph {
  readonly model: GraphModel;
  readonly comparison: Comparison | null;
  readonly pages: WantedPages<GraphPage>;
  readonly diff: WantedPages<DiffPage>;
  readonly changes: Changes;
  /** Adds what was read of the neighbours of a node, until something else is looked at. */
  readonly add: (side: GraphSide) => void;
}

/** The instants of a choice, as the contract takes them. */
export function instantsOf({ valid, recorded }: Pick<Chosen, 'valid' | 'recorded'>): AsOf | null {
  if (valid === null && recorded === null) return null;
  return { ...(valid === null ? {} : { valid }), ...(recorded === null ? {} : { recorded }) };
}

/** Reads the graph of a scope as it is chosen, compares it, and follows it. */
export function useGraph(scope: string, chosen: Chosen): ScopeGraph {
  const { types, entity, q, over, isLive, pages: wanted } = chosen;
  const pages = useWantedPages(
    GRAPH,
    { scope, types, over, entity, q, asOf: instantsOf(chosen), first: PAGE_SIZE },
    { pageOf: ({ graph }) => wholePage(graph), wanted, groupKey: scope },
  );
  const diff = useWantedPages(DIFF, comparing(scope, chosen), {
    pageOf: ({ graphDiff }) => wholePage(graphDiff),
    wanted,
    groupKey: `${scope} ${chosen.against ?? ''}`,
  });
  const changes = useChanges(scope, { isOn: isLive, over, readAgain: pages.reload });
  const key = JSON.stringify([scope, chosen.valid, chosen.recorded, types, entity, q, over]);
  const [added, setAdded] = useState<{ readonly key: string; readonly sides: readonly GraphSide[] }>({
    key,
    sides: [],
  });
  const more = added.key === key ? added.sides : [];
  const model = useMemo(() => {
    const read = modelOf([...more, ...pages.items]);
    const later = changes.changes.reduce((before, change) => applyChange(before, change, scope), read);
    return chosen.against === null ? later : withGone(later, diff.items);
  }, [pages.items, diff.items, changes.changes, more, scope, chosen.against]);
  const comparison = useMemo(
    () => (chosen.against === null ? null : comparisonOf(diff.items)),
    [diff.items, chosen.against],
  );
  const add = (side: GraphSide): void => {
    setAdded({ key, sides: [...more, side] });
  };
  return { model, comparison, pages, diff, changes, add };
}

/** What is asked for the comparison of a choice; null where nothing is compared. */
function comparing(scope: string, { against, axis, valid, recorded, types, over }: Chosen) {
  if (against === null) return null;
  const other = axis === 'valid' ? { valid: null, recorded } : { valid, recorded: null };
  const to = axis === 'valid' ? valid : recorded;
  return { scope, types, over, axis, from: against, to, asOf: instantsOf(other), first: PAGE_SIZE };
}
