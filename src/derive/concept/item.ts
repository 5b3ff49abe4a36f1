import type { ConceptContent, ConceptEdge } from './version.ts';
import type { ConceptItem } from '../../../schemas/concept.ts';
import { toRfc3339 } from '../../../schemas/time.ts';
import { INDEPENDENT_SUPPORTS } from './support.ts';
import type { KeyedIds } from '../keyed-ids.ts';
import type { EntityLinks } from '../entity-links.ts';
import { isPartial, type ConceptVersion } from './evolve.ts';

/** A concept with a version of it, as it is stored; instants are epoch milliseconds. */
export interface StoredConcept {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** Place in the log of what began it. */
  readonly position: number;
  readonly entity_id: string;
  /** What its entity was called; null where nothing gave it a name. */
  readonly caption: string | null;
  /** Whether its entity was ever linked. */
  readonly linked: boolean;
  readonly version: ConceptVersion;
  /** What the version cites: facts, the newest first, and the beliefs in them. */
  readonly facts: readonly string[];
  readonly beliefs: readonly string[];
  /** What the cited facts say of other concepts, the weightiest first. */
  readonly edges: readonly ConceptEdge[];
  /** When the version was followed by the next one; null for the last. */
  readonly recorded_to: number | null;
  /** The episodes in which what it cites was stated. */
  readonly episodes: readonly string[];
}

/** The time in which half of what is left of freshness goes, milliseconds. */
const STALE_HALF_LIFE_MS = 30 * 86_400_000;
const DECIMALS = 1e6;
/** Bytes that an id, and an edge, take in an answer, about. */
const ID_BYTES = 48;
const EDGE_BYTES = 96;

/** What links make of a concept: another name of one, or what was split from one; nothing of most. */
export type Kinship = Pick<ConceptItem, 'canonical_id' | 'derived_from'>;

/** What links of its entity make of a concept at a recorded instant. */
export function kinship(
  { scope_ref, entity_id }: Pick<StoredConcept, 'scope_ref' | 'entity_id'>,
  links: EntityLinks,
  recorded: number,
  ids: KeyedIds,
): Kinship {
  const namings = links
    .namingsFrom(scope_ref, [entity_id], { position: -1, recorded_at: 0 })
    .filter(({ at }) => at <= recorded)
    .flatMap((naming) => naming.ids);
  const [now = entity_id, before = entity_id] = namings.reverse();
  if (now !== entity_id) return { canonical_id: ids.concept(scope_ref, now) };
  return before === entity_id ? {} : { derived_from: [ids.concept(scope_ref, before)] };
}

/** The wire form of a concept, read at an instant. */
export function toConceptItem(concept: StoredConcept, now: number, kin: Kinship = {}): ConceptItem {
  const { version, recorded_to } = concept;
  return {
    id: concept.id,
    scope: concept.scope,
    entity_id: concept.entity_id,
    name: concept.caption ?? version.name,
    version: version.number,
    summary: version.summary,
    supported_by: {
      facts: [...concept.facts],
      episodes: [...concept.episodes].sort(),
      beliefs: [...concept.beliefs],
    },
    edges: weighedEdges(concept),
    stance: version.stance,
    confidence: version.confidence,
    coverage_score: coverageOf(version),
    staleness_score: staleness(version.newest_at, now),
    fact_count: version.fact_count,
    ...partiality(version),
    ...(version.number === 1 ? {} : { previous_version: version.number - 1 }),
    ...kin,
    caused_by: version.caused_by,
    recorded_from: toRfc3339(version.recorded_from),
    recorded_to: recorded_to === null ? null : toRfc3339(recorded_to),
  };
}

/** About how many bytes a concept makes of an answer. */
export function conceptBytes({ version, facts, beliefs, edges, episodes }: StoredConcept): number {
  const ids = facts.length + beliefs.length + episodes.length;
  return version.summary.length + edges.length * EDGE_BYTES + ids * ID_BYTES;
}

/** What a version has to do with other concepts: of each, the share of the cited facts that say so. */
export function weighedEdges({
  version: { cited_count },
  edges,
}: Pick<StoredConcept, 'version' | 'edges'>): ConceptItem['edges'] {
  return edges.map(({ to, relation, facts }) => ({ to, relation, weight: share(facts, cited_count) }));
}

/** What share of the facts that support a concept a version of it cites, 0 to 1. */
export function coverageOf({ cited_count, fact_count }: ConceptContent): number {
  return share(cited_count, fact_count);
}

/** A part of a whole, 0 to 1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : rounded(part / whole);
}

function partiality({
  independent,
}: ConceptVersion): Pick<ConceptItem, '_partial' | '_partial_reason' | '_progress'> {
  const _progress = share(independent, INDEPENDENT_SUPPORTS);
  if (!isPartial({ independent })) return { _progress };
  const _partial_reason = `${independent} of ${INDEPENDENT_SUPPORTS} events that speak of it independently`;
  return { _partial: true, _partial_reason, _progress };
}

function staleness(newestAt: number | null, now: number): number {
  if (newestAt === null) return 1;
  return rounded(1 - 2 ** (-Math.max(0, now - newestAt) / STALE_HALF_LIFE_MS));
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
