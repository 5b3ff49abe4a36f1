import { diffQuery, type DiffQuery, type GraphDiff } from '../../schemas/graph.ts';
import { NODE_TYPES } from '../../schemas/provenance.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { graphDiff, type Difference } from '../derive/graph-diff.ts';
import { graphTimes } from '../derive/graph-times.ts';
import type { MadeGraph } from '../derive/graph.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import { StrataError } from '../errors.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import type { Clock } from '../clock.ts';
import type { Call } from './access.ts';
import type { GraphEdges, GraphInstants } from './graph-edges.ts';
import { graphPart, typesOf, walkedOf } from './graph-part.ts';
import { graphWalk, type GraphLayers, type WalkedNode } from './graph-walk.ts';
import { parseQuery } from './query-input.ts';
import { recordPage, type RecordWalk } from './record-page.ts';
import type { SelectionService } from './scope-selection.ts';

/** What comparing needs. */
export interface GraphComparingParts {
  readonly selection: SelectionService;
  readonly layers: GraphLayers;
  readonly edges: GraphEdges;
  readonly clock: Clock;
}

/** A record at both instants, null where it is not in the graph; and about how many bytes it makes of an answer. */
interface Compared {
  readonly before: LayerRecord | null;
  readonly after: LayerRecord | null;
  readonly bytes: number;
}

/** Tells what the graph of a scope has become between two instants. */
export class GraphComparing {
  private readonly parts: GraphComparingParts;

  constructor(parts: GraphComparingParts) {
    this.parts = parts;
  }

  /**
   * What of a page of nodes, newest first, is different at two instants: a page compares as many nodes as are asked for, whether they
   * changed or not. Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async page(call: Call, query: unknown): Promise<GraphDiff> {
    const parsed = parseQuery(diffQuery, query);
    const [from, to] = instantsOf(parsed, this.parts.clock.now());
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    const types = typesOf({ ...parsed, view });
    if (!NODE_TYPES.some((type) => types.has(type))) {
      const reason = 'entities come and go with what is said of them: name a kind of records too';
      throw new StrataError('INVALID_QUERY', `types: ${reason}`, {
        details: { field_path: 'types', reason },
      });
    }
    const walkAt = (at: GraphInstants): RecordWalk<WalkedNode> =>
      graphWalk(this.parts.layers, call, selection, {
        types: walkedOf(types, false),
        about: null,
        at,
      });
    const { records, next } = await recordPage(together(walkAt(from), walkAt(to)), {
      ...parsed,
      listing: 'differences',
    });
    const sideAt = (side: 'before' | 'after', at: GraphInstants): Promise<MadeGraph> => {
      const found = records.flatMap((record) => record[side] ?? []);
      return graphPart(this.parts.edges, call, found, { selection, types, wants: null, at });
    };
    const [before, after] = await Promise.all([sideAt('before', from), sideAt('after', to)]);
    const compared = new Set(records.flatMap((record) => (record.before ?? record.after)?.record.id ?? []));
    const { withheld } = selection;
    const difference = graphDiff(before, after, compared);
    return {
      ...difference,
      times: graphTimes(sidesOf(difference)),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
  }
}

/** All that a difference shows, as it was and as it is. */
function sidesOf({
  appeared,
  gone,
  changed: { nodes, edges },
}: Difference): Pick<MadeGraph, 'nodes' | 'edges'>[] {
  const side = (of: 'before' | 'after'): Pick<MadeGraph, 'nodes' | 'edges'> => ({
    nodes: nodes.map((change) => change[of]),
    edges: edges.map((change) => change[of]),
  });
  return [appeared, gone, side('before'), side('after')];
}

/** The rows of two walks over the same order as one. */
function together(before: RecordWalk<WalkedNode>, after: RecordWalk<WalkedNode>): RecordWalk<Compared> {
  return async (position, rows) => {
    const [old, now] = await Promise.all([before(position, rows), after(position, rows)]);
    const was = new Map(old.map((row) => [row.id, row]));
    const is = new Map(now.map((row) => [row.id, row]));
    const all = [...new Map([...was, ...is]).values()].map(({ position: at, id }) => {
      const pair = { before: was.get(id)?.record ?? null, after: is.get(id)?.record ?? null };
      const { bytes } = pair.before ?? pair.after ?? { bytes: 0 };
      const compared = { before: pair.before?.read ?? null, after: pair.after?.read ?? null, bytes };
      return { position: at, id, record: pair.before === null && pair.after === null ? null : compared };
    });
    return all.sort((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1)).slice(0, rows);
  };
}

/** The two pairs of instants that a query compares. Throws `INVALID_QUERY` for a parameter that names the compared axis once more. */
function instantsOf(query: DiffQuery, now: number): [GraphInstants, GraphInstants] {
  const { axis } = query;
  const named = axis === 'recorded' ? 'as_of_recorded' : 'as_of_valid';
  if (query[named] !== undefined) {
    const reason = `from and to name the ${axis} instants already`;
    throw new StrataError('INVALID_QUERY', `${named}: ${reason}`, { details: { field_path: named, reason } });
  }
  const read = axis === 'recorded' ? known : toEpochMs;
  const at = {
    valid: query.as_of_valid === undefined ? now : toEpochMs(query.as_of_valid),
    recorded: query.as_of_recorded === undefined ? KNOWN_NOW : known(query.as_of_recorded),
    anyTime: query.include_superseded === true,
  };
  return [
    { ...at, [axis]: read(query.from) },
    { ...at, [axis]: query.to === undefined ? at[axis] : read(query.to) },
  ];
}

/** The recorded instant of a text: at the end of time what is known now. */
function known(text: string): number {
  return Math.min(toEpochMs(text), KNOWN_NOW);
}
