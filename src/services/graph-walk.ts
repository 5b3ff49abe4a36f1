import type { EpisodeReader } from '../../graph/episode/read.ts';
import { newestOf } from '../../graph/record-walk.ts';
import type { NodeType } from '../../schemas/provenance.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import type { Call } from './access.ts';
import type { BeliefListing } from './belief-listing.ts';
import type { ConceptListing } from './concept-listing.ts';
import { episodeWalk } from './episode-listing.ts';
import type { EventListing } from './event-listing.ts';
import type { FactListing } from './fact-listing.ts';
import type { GraphInstants } from './graph-edges.ts';
import type { AskedEntity } from './named-entities.ts';
import { eventRecord } from './record-nodes.ts';
import type { RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** The layers that are walked. */
export interface GraphLayers {
  readonly facts: FactListing;
  readonly beliefs: BeliefListing;
  readonly concepts: ConceptListing;
  readonly episodes: EpisodeReader;
  readonly events: EventListing;
}

/** Which records of a selection are walked. */
export interface GraphFilter {
  readonly types: ReadonlySet<NodeType>;
  /** Only what is said of it; null for all. */
  readonly about: AskedEntity | null;
  readonly at: GraphInstants;
}

/** A record of a walk, with about how many bytes it makes of an answer. */
export interface WalkedNode {
  readonly read: LayerRecord;
  readonly bytes: number;
}

/** Bytes that a node takes in an answer with its edges, about: what it says is cut short. */
const NODE_BYTES = 2_000;

/** Walks the records of all layers together, newest first by their places in the log. */
export function graphWalk(
  layers: GraphLayers,
  call: Call,
  selection: ReadableSelection,
  filter: GraphFilter,
): RecordWalk<WalkedNode> {
  const walks = walksOf(layers, call, selection, filter);
  return async (position, rows) =>
    newestOf(await Promise.all(walks.map(async (walk) => [...(await walk(position, rows))])), rows);
}

function walksOf(
  layers: GraphLayers,
  call: Call,
  selection: ReadableSelection,
  { types, about, at }: GraphFilter,
): RecordWalk<WalkedNode>[] {
  const facts = { at, any_time: at.anyTime, predicates: null, min_confidence: null };
  const beliefs = { at, stance: null, min_confidence: null };
  const walks: RecordWalk<WalkedNode>[] = [];
  if (types.has('fact'))
    walks.push(
      nodes(layers.facts.walk(call, selection, about, facts), (record) => ({ type: 'fact', record })),
    );
  if (types.has('belief'))
    walks.push(
      nodes(layers.beliefs.walk(call, selection, about, beliefs), (record) => ({ type: 'belief', record })),
    );
  if (types.has('concept'))
    walks.push(
      nodes(layers.concepts.walk(call, selection, about, at.recorded), (record) => ({
        type: 'concept',
        record,
      })),
    );
  // What is said of an entity leads to its events and episodes.
  if (about !== null) return walks;
  const { recorded, valid, anyTime } = at;
  if (types.has('episode')) {
    const episodes = episodeWalk(layers.episodes, selection, { recorded, valid, from: null, to: null });
    walks.push(nodes(episodes, (record) => ({ type: 'episode', record })));
  }
  if (types.has('event')) {
    const events = layers.events.walk(selection, { recorded, valid: anyTime ? null : valid });
    walks.push(nodes(events, eventRecord));
  }
  return walks;
}

function nodes<T>(walk: RecordWalk<T>, shape: (record: T) => LayerRecord): RecordWalk<WalkedNode> {
  return async (position, rows) =>
    (await walk(position, rows)).map((row) => ({
      ...row,
      record: row.record === null ? null : { read: shape(row.record), bytes: NODE_BYTES },
    }));
}

/** Of a walk what is wanted; all of it for null. */
export function wantedOf(
  walk: RecordWalk<WalkedNode>,
  wants: ((read: LayerRecord) => boolean) | null,
): RecordWalk<WalkedNode> {
  if (wants === null) return walk;
  return async (position, rows) =>
    (await walk(position, rows)).map((row) => ({
      ...row,
      record: row.record !== null && wants(row.record.read) ? row.record : null,
    }));
}
