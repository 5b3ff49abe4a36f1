import type { BeliefReader } from '../../graph/belief.ts';
import type { EventReader, ListedEvent } from '../../graph/event.ts';
import type { FactReader } from '../../graph/fact.ts';
import type { BeliefItem, BeliefWhy, WhyEdge, WhyNode } from '../../schemas/belief.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { evidenceOf, type StoredBeliefItem, type WholeBelief } from '../derive/belief-item.ts';
import type { StoredFact } from '../derive/fact-item.ts';
import { objectOf } from '../derive/fact-item.ts';
import { narrative, phrase, quoted, relationOf, span } from '../derive/why.ts';
import { MAX_WHY_EVENTS, MAX_WHY_NODES } from '../limits/reading.ts';
import type { Instants } from '../time/extent.ts';
import type { AccessService, Call } from './access.ts';

/** What the walk needs. */
export interface BeliefWhyParts {
  readonly access: AccessService;
  readonly beliefs: BeliefReader;
  readonly facts: FactReader;
  readonly events: EventReader;
}

/** How far to go, at which instants. */
export interface WhyReach extends Instants {
  readonly depth: number;
}

/** A record that was found, with what it rests on. */
interface Found {
  readonly tenant: string;
  readonly scope: string;
  readonly node: WhyNode;
  readonly edges: readonly WhyEdge[];
}

/** Walks from a belief to what it rests on, step by step: one round trip for each kind of record and step. */
export class BeliefWhyReading {
  private readonly parts: BeliefWhyParts;

  constructor(parts: BeliefWhyParts) {
    this.parts = parts;
  }

  /** Why a belief that the caller may read is held. What he may not read of the rest is left out, and told as cut off. */
  async why(
    call: Call,
    belief: WholeBelief,
    item: BeliefItem,
    { depth, ...at }: WhyReach,
  ): Promise<BeliefWhy> {
    const weights = new Map(item.supports.map(({ id, weight }) => [id, weight]));
    const start = ofBelief(belief);
    const nodes = new Map([[start.node.id, start.node]]);
    const edges: WhyEdge[] = [];
    let leaving = start.edges;
    let truncated = false;
    for (let step = 0; step < depth && leaving.length > 0; step += 1) {
      const wanted = [...new Set(leaving.map(({ to }) => to))].filter((id) => !nodes.has(id));
      const room = wanted.slice(0, MAX_WHY_NODES - nodes.size);
      const found = await this.find(call, room, at);
      for (const id of room) {
        const node = found.get(id)?.node;
        const weight = weights.get(id);
        if (node) nodes.set(id, weight === undefined ? node : { ...node, weight });
      }
      const shown = leaving.filter(({ to }) => nodes.has(to));
      truncated ||= shown.length < leaving.length;
      edges.push(...shown);
      leaving = room.flatMap((id) => found.get(id)?.edges ?? []);
    }
    truncated ||= leaving.length > 0;
    const graph = { nodes: [...nodes.values()], edges };
    return {
      belief: item,
      support_graph: { ...graph, truncated },
      narrative: narrative(item, graph),
      narrative_model: null,
    };
  }

  private async find(call: Call, ids: readonly string[], at: Instants): Promise<Map<string, Found>> {
    const tenant = call.principal.crossTenantById ? null : call.principal.tenant;
    const { recorded } = at;
    const of = (prefix: string): string[] => ids.filter((id) => id.startsWith(prefix));
    const [facts, beliefs, events] = await Promise.all([
      this.parts.facts.byIds(of('fact_'), tenant, { recorded, valid: null }),
      this.parts.beliefs.byIds(of('belief_'), tenant, { ...at, ahead: true }),
      this.parts.events.byIds(of('evt_'), tenant, { valid: null, recorded }),
    ]);
    const found = new Map<string, Found>([
      ...[...facts].map(([asked, fact]) => [asked, ofFact(asked, fact)] as const),
      ...[...beliefs].map(([id, belief]) => [id, ofBelief(belief)] as const),
      ...events.map((event) => [event.id, ofEvent(event)] as const),
    ]);
    const places = [...found.values()].map(({ tenant: of_, scope: path }) => ({ tenant: of_, path }));
    const mayRead = await this.parts.access.readableNow(call, places);
    return new Map([...found].filter(([, one]) => mayRead({ tenant: one.tenant, path: one.scope })));
  }
}

function ofBelief(belief: StoredBeliefItem): Found {
  const { id, tenant, scope, predicate, row } = belief;
  const subject = belief.subject_name ?? belief.subject_id;
  const object = belief.object === null ? null : objectOf({ object: belief.object });
  const said = phrase({ subject, predicate, object });
  const edges = evidenceOf(row).map((one) => ({ from: id, to: one.id, relation: relationOf(one) }));
  return { tenant, scope, node: { id, type: 'belief', summary: `${said} (${row.stance})` }, edges };
}

function ofFact(asked: string, fact: StoredFact): Found {
  const { tenant, scope, predicate, premises, supports } = fact;
  const subject = fact.subject_name ?? fact.subject_id;
  const object = fact.object === null ? null : objectOf({ object: fact.object });
  const summary = `${phrase({ subject, predicate, object })}, ${span(fact.valid_from, fact.valid_to)}`;
  const events = [...supports].sort(([a], [b]) => a - b).slice(0, MAX_WHY_EVENTS);
  const edges: WhyEdge[] = [
    ...events.map(([, to]) => ({ from: asked, to, relation: 'extracted_from' as const })),
    ...(premises ?? []).map((to) => ({ from: asked, to, relation: 'concluded_from' as const })),
  ];
  return { tenant, scope, node: { id: asked, type: 'fact', summary }, edges };
}

function ofEvent({ id, tenant, scope, envelope, wal_offset }: ListedEvent): Found {
  const text = envelope === null ? '' : searchableText((JSON.parse(envelope) as Envelope).content);
  const summary = text === '' ? `event ${wal_offset} of the log` : quoted(text);
  return { tenant, scope, node: { id, type: 'event', summary }, edges: [] };
}
