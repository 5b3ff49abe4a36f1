import { useMemo, useRef, useState } from 'preact/hooks';

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
import { withNeighbours, type Added, type NeighbourPage } from './neighbours.ts';
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
  /** All answers that the model was made of. */
  readonly sides: readonly GraphSide[];
  /** What was read of the neighbours of nodes. */
  readonly added: readonly NeighbourPage[];
  /** Adds neighbours of a node, until something else is looked at. */
  readonly add: (page: NeighbourPage) => void;
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
  const {
    pages: added,
    add,
    clear,
  } = useAdded(JSON.stringify([scope, chosen.valid, chosen.recorded, types, entity, q, over]));
  const readAgain = (): void => {
    clear();
    pages.reload();
  };
  const changes = useChanges(scope, { isOn: isLive, over, readAgain });
  const model = useMemo(() => {
    const read = modelOf([...added.map(({ page }) => page), ...pages.items]);
    const later = changes.changes.reduce((before, change) => applyChange(before, change, scope), read);
    return chosen.against === null ? later : withGone(later, diff.items);
  }, [pages.items, diff.items, changes.changes, added, scope, chosen.against]);
  const comparison = useMemo(
    () => (chosen.against === null ? null : comparisonOf(diff.items)),
    [diff.items, chosen.against],
  );
  const sides = useMemo(
    () => [
      ...added.map(({ page }) => page),
      ...pages.items,
      ...changes.changes,
      ...diff.items.flatMap(({ gone, appeared }) => [gone, appeared]),
    ],
    [added, pages.items, changes.changes, diff.items],
  );
  return { model, comparison, pages, diff, changes, sides, added, add };
}

const NONE: readonly NeighbourPage[] = [];

/** Pages of neighbours that were added to what `key` says is looked at. */
function useAdded(key: string): {
  readonly pages: readonly NeighbourPage[];
  readonly add: (page: NeighbourPage) => void;
  readonly clear: () => void;
} {
  const [added, setAdded] = useState<Added>({ key, pages: NONE });
  const latest = useRef(key);
  latest.current = key;
  return {
    pages: added.key === key ? added.pages : NONE,
    add: (page) => {
      // An answer may come when something else is looked at.
      if (latest.current === key) setAdded((before) => withNeighbours(before, key, page));
    },
    clear: () => {
      setAdded({ key, pages: NONE });
    },
  };
}

/** What is asked for the comparison of a choice; null where nothing is compared. */
function comparing(scope: string, { against, axis, valid, recorded, types, over }: Chosen) {
  if (against === null) return null;
  const other = axis === 'valid' ? { valid: null, recorded } : { valid, recorded: null };
  const to = axis === 'valid' ? valid : recorded;
  return { scope, types, over, axis, from: against, to, asOf: instantsOf(other), first: PAGE_SIZE };
}
