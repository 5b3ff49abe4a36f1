import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import {
  graphStreamQuery,
  MAX_NODE_EDGES,
  type GraphChange,
  type GraphStreamQuery,
} from '../../schemas/graph.ts';
import { lifecycleId, type LifecycleItem, type LifecycleStreamQuery } from '../../schemas/lifecycle.ts';
import { NODE_TYPES } from '../../schemas/provenance.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import type { NodeEdge } from '../derive/graph.ts';
import { layerOf } from '../derive/provenance.ts';
import { CHANGING_FRAMES, touchedBy } from '../lifecycle/touched-records.ts';
import { gatherFrames } from '../lifecycle/gathering.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { isStated } from './fact-listing.ts';
import type { GraphEdges, GraphInstants } from './graph-edges.ts';
import { covers, graphPart, typesOf } from './graph-part.ts';
import type { LifecycleSubscription } from './operations.ts';
import { parseQuery } from './query-input.ts';
import type { RecordNodes } from './record-nodes.ts';
import type { SelectionService } from './scope-selection.ts';

/** Follows frames; see `LifecycleService`. */
export interface FrameSource {
  follow(
    call: Call,
    asked: Pick<LifecycleStreamQuery, 'scope' | 'events' | 'since_lifecycle_id'>,
  ): Promise<LifecycleSubscription>;
}

/** What following a graph needs. */
export interface GraphChangesParts {
  readonly selection: SelectionService;
  readonly nodes: RecordNodes;
  readonly edges: GraphEdges;
  readonly lifecycle: FrameSource;
  /** The settled head of the frames. */
  readonly frameHead: VisibleHighWatermark;
  readonly clock: Clock;
}

/** Records of a change, at most; of more the graph is read again. */
const MOST_RECORDS = 1_000;

/** What tells a reader to read the graph. */
const READ_AGAIN: GraphChange = { nodes: [], edges: [], gone: [], read_again: true };

/** Tells what changes in the graph of a scope, as it happens. */
export class GraphChanges {
  private readonly parts: GraphChangesParts;

  constructor(parts: GraphChangesParts) {
    this.parts = parts;
  }

  /**
   * What changes in the graph of a scope after a frame, or from now on: first an item that says from which frame on changes are told, then
   * one for the frames that came together. Ends as a stream of frames does, and throws as it does.
   */
  async subscribe(call: Call, query: unknown): Promise<LifecycleSubscription> {
    const { lifecycle, frameHead, clock } = this.parts;
    const parsed = parseQuery(graphStreamQuery, query);
    const { scope, since_lifecycle_id: cursor } = parsed;
    await this.parts.selection.select(call, scope, 'local');
    await frameHead.refresh();
    const since = cursor ?? lifecycleId(frameHead.settled);
    const asked = { scope, events: [...CHANGING_FRAMES], since_lifecycle_id: since };
    const begun = { ...READ_AGAIN, read_again: cursor === undefined };
    const first = {
      lifecycle_id: since,
      ts: toRfc3339(clock.now()),
      scope,
      event: 'graph_changed',
      data: begun,
    };
    return gatherFrames(await lifecycle.follow(call, asked), first, async (frames) => {
      const last = frames.at(-1) ?? frames[0];
      const change = await this.changeOf(call, parsed, frames);
      return isNotice(last)
        ? { ...last, data: { ...READ_AGAIN, ...last.data } }
        : { ...last, event: 'graph_changed', data: change };
    });
  }

  /** What frames come to, by what is in the graph now. */
  private async changeOf(
    call: Call,
    parsed: GraphStreamQuery,
    frames: readonly LifecycleItem[],
  ): Promise<GraphChange> {
    const touched = touchedBy(frames);
    if (touched === null) return READ_AGAIN;
    const { nodes, edges, clock } = this.parts;
    const anyTime = parsed.include_superseded === true;
    const at = { ...readingInstants({}, clock.now()), anyTime };
    const ids = await this.reachedFrom(call, touched, at);
    if (ids === null) return READ_AGAIN;
    const selection = await this.parts.selection.select(call, parsed.scope, 'local');
    const instants = { valid: at.valid, recorded: at.recorded, now: at.valid, whenever: anyTime };
    const read = await nodes.records([...ids], call.principal.tenant, instants);
    const there = [...read.values()].filter((one) => one.type !== 'fact' || isStated(one.record));
    const readable = await edges.readableRecords(call, there);
    const found = readable.filter((one) => covers(selection, one.record.scope));
    const types = typesOf({ types: undefined, view: 'local' });
    const part = await graphPart(edges, call, found, { selection, types, wants: null, at, bothWays: true });
    // Of what is elsewhere, or not for him to read, nothing is told.
    const still = new Set(there.map(({ record }) => record.id));
    const gone = [...ids].filter((id) => !still.has(id));
    return { nodes: part.nodes, edges: part.edges, gone, read_again: false };
  }

  /**
   * The records that may have changed with others: what they took the place of or contradict, and what was concluded from any of them. Null
   * for too many.
   */
  private async reachedFrom(
    call: Call,
    touched: ReadonlySet<string>,
    at: GraphInstants,
  ): Promise<ReadonlySet<string> | null> {
    const all = new Set(touched);
    let asked = [...touched];
    for (let isFirst = true; asked.length > 0; isFirst = false) {
      if (all.size > MOST_RECORDS) return null;
      const edges = await this.parts.edges.of(call, asked, new Set(NODE_TYPES), at, MAX_NODE_EDGES);
      const others = edges.filter((edge) => changesWith(edge, isFirst)).map(({ other }) => other);
      asked = [...new Set(others)].filter((id) => !all.has(id) && layerOf(id) !== null);
      for (const id of asked) all.add(id);
    }
    return all;
  }
}

/** Whether the other end of an edge may have changed because the one asked about did. */
function changesWith({ type, out }: NodeEdge, isTouched: boolean): boolean {
  if (type === 'CONCLUDED_FROM') return !out;
  return isTouched && (type === 'SUPERSEDED_BY' || type === 'CONTRADICTS');
}

/** Whether a frame speaks of the stream itself. */
function isNotice({ event }: LifecycleItem): boolean {
  return event === 'lagging' || event === 'policy_revoked';
}
