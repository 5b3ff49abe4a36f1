import type { BeliefReader } from '../../graph/belief/read.ts';
import type { ConceptReader } from '../../graph/concept/read.ts';
import type { EpisodeReader } from '../../graph/episode/read.ts';
import type { EventReader, ListedEvent } from '../../graph/event.ts';
import type { FactReader } from '../../graph/fact/read.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import type { WhyNode } from '../../schemas/provenance.ts';
import { searchableText } from '../capture/searchable-text.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import { byLayer, nodeOf } from '../derive/provenance.ts';

/** What the reading needs. */
export interface RecordNodesParts {
  readonly beliefs: BeliefReader;
  readonly concepts: ConceptReader;
  readonly episodes: EpisodeReader;
  readonly events: EventReader;
  readonly facts: FactReader;
}

/** When records are read. */
export interface NodeInstants {
  /** Null for any, and then beliefs as they are at `now`, or else as they will begin. */
  readonly valid: number | null;
  readonly recorded: number;
  readonly now: number;
  /** Whether facts and events are shown whenever they are true: what speaks for an opinion of one time may be about another. */
  readonly whenever: boolean;
}

/** A record in short, and where it lies. */
export interface ScopedNode {
  readonly tenant: string;
  readonly scope: string;
  readonly node: WhyNode;
}

/** Reads records of every layer. */
export class RecordNodes {
  private readonly parts: RecordNodesParts;

  constructor(parts: RecordNodesParts) {
    this.parts = parts;
  }

  /** {@link records} in short. */
  async read(
    ids: readonly string[],
    tenant: string | null,
    at: NodeInstants,
  ): Promise<Map<string, ScopedNode>> {
    const found = await this.records(ids, tenant, at);
    return new Map(
      [...found].map(([id, read]) => {
        const { tenant: of, scope } = read.record;
        return [id, { tenant: of, scope, node: nodeOf(read) }];
      }),
    );
  }

  /**
   * The records among the ids that are visible at the instants, of one tenant or (null) of any, by the id that was asked for: one round
   * trip for each layer, side by side.
   */
  async records(
    ids: readonly string[],
    tenant: string | null,
    { valid, recorded, now, whenever }: NodeInstants,
  ): Promise<Map<string, LayerRecord>> {
    const of = byLayer(ids);
    const { beliefs, concepts, episodes, events, facts } = this.parts;
    const at = { valid, recorded };
    const stated = { valid: whenever ? null : valid, recorded, shown: valid ?? now };
    const [foundFacts, foundBeliefs, foundEvents, foundEpisodes, foundConcepts] = await Promise.all([
      of.facts.length === 0 ? [] : facts.byIds(of.facts, tenant, stated),
      beliefs.byIds(of.beliefs, tenant, { valid: valid ?? now, recorded, ahead: valid === null }),
      events.byIds(of.events, tenant, stated, false),
      episodes.byIds(of.episodes, tenant, at),
      concepts.byIds(of.concepts, tenant, recorded),
    ]);
    const found: [string, LayerRecord][] = [
      ...[...foundFacts].map(([id, record]): [string, LayerRecord] => [id, { type: 'fact', record }]),
      ...[...foundBeliefs].map(([id, record]): [string, LayerRecord] => [id, { type: 'belief', record }]),
      ...foundEvents.map((event): [string, LayerRecord] => [event.id, eventRecord(event)]),
      ...[...foundEpisodes].map(([id, record]): [string, LayerRecord] => [id, { type: 'episode', record }]),
      ...[...foundConcepts].map(([id, record]): [string, LayerRecord] => [id, { type: 'concept', record }]),
    ];
    return new Map(found);
  }
}

/** An event as it is shown in short. */
export function eventRecord(event: ListedEvent): LayerRecord {
  const { envelope } = event;
  const text = envelope === null ? '' : searchableText((JSON.parse(envelope) as Envelope).content);
  return { type: 'event', record: { ...event, text } };
}
