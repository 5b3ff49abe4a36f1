import type { ConceptContent, ConceptEdge } from './version.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import { conceptEdges, conceptName, conceptStance, conceptSummary } from './content.ts';
import { INDEPENDENT_SUPPORTS, type SupportRow } from './support.ts';
import { VisibleSupports } from '../visible-supports.ts';

/** A version of a concept: what the supports came to from a recorded instant on. It is never changed. */
export interface ConceptVersion extends ConceptContent {
  /** From 1. */
  readonly number: number;
  readonly recorded_from: number;
  /** The event, or the synthesis, that brought it about. */
  readonly caused_by: string;
  /** Place in the log of the newest fact that it cites; of one that cites none that of the version before. */
  readonly position: number;
}

/** A version as it is made, with the facts that it cites, newest first, and what these say of other concepts, the weightiest first. */
export interface CitingVersion extends ConceptVersion {
  readonly facts: readonly string[];
  readonly edges: readonly ConceptEdge[];
}

/** An entry of the log that asks for concepts to be brought up to date. */
export interface Synthesis {
  readonly id: string;
  readonly recorded_at: number;
  /** Ids of entities; null for all concepts of the scope. */
  readonly topics: readonly string[] | null;
  /** Whether a version is written even where it says what the one before said. */
  readonly force: boolean;
}

/** A concept from an instant on. */
export interface ConceptReplayInput {
  readonly entity_id: string;
  /** The recorded instant from which on something is different. */
  readonly since: number;
  /** The last version before. */
  readonly last: ConceptVersion | null;
  /** Of the supports that began before and are still there: the newest, as many as may be cited, and how many there are. */
  readonly kept: readonly SupportRow[];
  readonly kept_count: number;
  /** The supports that began or ended since. */
  readonly changing: readonly SupportRow[];
  /** The syntheses of the scope since, in the order of recorded time. */
  readonly syntheses: readonly Synthesis[];
}

/** How many facts a version cites at most, and how many edges it has. */
export interface ConceptBounds {
  readonly facts: number;
  readonly edges: number;
}

/** Facts that a version of a concept cites at most, the newest; its coverage tells how many there are. */
const MAX_CITED_FACTS = 50;

/** Other concepts that a version of a concept names at most, the weightiest. */
const MAX_CONCEPT_EDGES = 16;

/** What the service keeps to. */
export const CONCEPT_BOUNDS: ConceptBounds = { facts: MAX_CITED_FACTS, edges: MAX_CONCEPT_EDGES };

/** What happens to the supports of a concept at an instant. */
interface Step {
  readonly at: number;
  readonly opened: SupportRow[];
  readonly closed: SupportRow[];
  readonly syntheses: Synthesis[];
}

/** A concept from an instant on, as it is made. */
export interface ConceptReplay {
  /** What the last version before the instant says of other concepts. */
  readonly edges: readonly ConceptEdge[];
  readonly versions: readonly CitingVersion[];
}

/**
 * The versions of a concept from an instant on. There is one wherever it comes to say something else than the last one, by what its
 * supports are then, and wherever a synthesis forces one. What an instant leaves behind is one thing, however many transactions it took.
 */
export function replayedConcept(telling: ConceptReplayInput, bounds: ConceptBounds): ConceptReplay {
  const versions: CitingVersion[] = [];
  const visible = visibleBefore(telling);
  let last = telling.last;
  let before = visible.newest(bounds.facts);
  const edges = last === null ? [] : conceptEdges(before, bounds.edges);
  for (const step of stepsOf(telling)) {
    for (const row of step.closed) visible.remove(row);
    for (const row of step.opened) visible.add(row);
    if (last === null && visible.count === 0) continue;
    const asked = step.syntheses.filter(({ topics }) => topics?.includes(telling.entity_id) ?? true);
    const cited = visible.newest(bounds.facts);
    const content = contentOf(telling.entity_id, last, cited, visible.count);
    const isForced = asked.some(({ force }) => force);
    if (!isForced && saysSame(last, content) && citesSame(before, cited, bounds)) continue;
    last = {
      ...content,
      number: (last?.number ?? 0) + 1,
      recorded_from: step.at,
      caused_by: causeOf(step, asked),
      position: cited[0]?.position ?? last?.position ?? 0,
    };
    before = cited;
    const facts = cited.map(({ fact_id }) => fact_id);
    versions.push({ ...last, facts, edges: conceptEdges(cited, bounds.edges) });
  }
  return { edges, versions };
}

/** What the last version cites are the newest of these: had that changed before the instant, there would be another version. */
function visibleBefore({ since, kept, kept_count, changing }: ConceptReplayInput): VisibleSupports {
  const visible = new VisibleSupports(kept, kept_count);
  for (const row of changing) if (row.recorded.from < since) visible.add(row);
  return visible;
}

/** How a concept was told last: since when its last version holds, how many supports it has, and when they last became more or fewer. */
export interface LatestVersion {
  readonly latest_recorded_from: number;
  readonly supports: number;
  readonly changed_at: number;
}

/** Whether nothing happened to a concept from an instant on, as its head tells; false where nothing is known. */
export function isUnchangedSince(head: LatestVersion | undefined, since: number): boolean {
  return head !== undefined && head.latest_recorded_from < since && head.changed_at < since;
}

/** Whether there are so few events that the concept cannot be told as a whole. */
export function isPartial({ independent }: Pick<ConceptContent, 'independent'>): boolean {
  return independent < INDEPENDENT_SUPPORTS;
}

function stepsOf({ since, changing, syntheses }: ConceptReplayInput): Step[] {
  const steps = new Map<number, Step>();
  const at = (instant: number): Step => {
    const step = steps.get(instant) ?? { at: instant, opened: [], closed: [], syntheses: [] };
    steps.set(instant, step);
    return step;
  };
  for (const row of changing) {
    if (row.recorded.from >= since) at(row.recorded.from).opened.push(row);
    if (row.recorded.to !== OPEN_END) at(row.recorded.to).closed.push(row);
  }
  for (const one of syntheses) at(one.recorded_at).syntheses.push(one);
  return [...steps.values()].sort((a, b) => a.at - b.at);
}

/** Whether two versions with these supports cite the same, and say the same by it of other concepts. */
function citesSame(a: readonly SupportRow[], b: readonly SupportRow[], bounds: ConceptBounds): boolean {
  return JSON.stringify(citationsOf(a, bounds)) === JSON.stringify(citationsOf(b, bounds));
}

function citationsOf(cited: readonly SupportRow[], bounds: ConceptBounds): object {
  return {
    facts: cited.map(({ fact_id }) => fact_id),
    stances: cited.map(({ stance }) => stance),
    beliefs: [...new Set(cited.map(({ belief_id }) => belief_id))],
    events: [...new Set(cited.flatMap(({ events }) => events))],
    edges: conceptEdges(cited, bounds.edges),
  };
}

function contentOf(
  entityId: string,
  last: ConceptVersion | null,
  cited: readonly SupportRow[],
  count: number,
): ConceptContent {
  const name = conceptName(entityId, last, cited);
  return {
    name,
    summary: conceptSummary(name, cited, count),
    cited_count: cited.length,
    fact_count: count,
    independent: independentOf(cited),
    ...conceptStance(cited),
    newest_at: cited.length === 0 ? null : Math.max(...cited.map(({ newest_at }) => newest_at)),
  };
}

function independentOf(cited: readonly SupportRow[]): number {
  return Math.min(INDEPENDENT_SUPPORTS, new Set(cited.flatMap(({ events }) => events)).size);
}

function saysSame(last: ConceptVersion | null, content: ConceptContent): boolean {
  if (last === null) return false;
  return Object.entries(content).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(last[field as keyof ConceptContent]),
  );
}

/** Of what happened at one instant the greatest id, so that the order in which it was found makes no difference. */
function causeOf({ opened, closed }: Step, asked: readonly Synthesis[]): string {
  const events = [
    ...opened.map(({ caused_by }) => caused_by),
    ...closed.flatMap(({ closed_by }) => closed_by ?? []),
  ];
  return [...(events.length > 0 ? events : asked.map(({ id }) => id))].sort().at(-1) ?? '';
}
