import type { ConceptContent, ConceptEdge } from './version.ts';
import type { Stance } from '../belief/weight.ts';
import type { SupportRow } from './support.ts';

/** Facts that a summary tells. */
const SUMMARY_FACTS = 8;
/** A stance is taken where the facts are at least twice as likely as not, on average; as beliefs take theirs. */
const TWO_THIRDS = 2 / 3;
const DECIMALS = 1e6;

/**
 * What a concept is called: as before, once it has a name; else as the earliest of the cited facts has it that gives one; else by
 * the id of its entity.
 */
export function conceptName(
  entityId: string,
  last: Pick<ConceptContent, 'name'> | null,
  cited: readonly SupportRow[],
): string {
  if (last !== null && last.name !== entityId) return last.name;
  return cited.findLast(({ entity_name }) => entity_name !== null)?.entity_name ?? entityId;
}

/** A concept in words, made of the cited facts alone: the same facts give the same words. */
export function conceptSummary(name: string, cited: readonly SupportRow[], count: number): string {
  if (cited.length === 0) return `Nothing is known of ${name} any more.`;
  const named = cited.slice(0, SUMMARY_FACTS).map((row) => textOf(row, cited, name));
  const rest = count - named.length;
  const more = rest === 0 ? '' : ` And ${rest} more ${rest === 1 ? 'fact' : 'facts'}.`;
  return `${named.join('; ')}.${more}`;
}

/** What a fact says of an entity; where it gives the id alone, by the name that had been given last by then. */
function textOf(row: SupportRow, cited: readonly SupportRow[], name: string): string {
  const { text, entity_id: id, entity_name: given, position } = row;
  if (given !== null) return text;
  const known = cited.reduce<SupportRow | null>(
    (last, one) =>
      one.entity_name === null || one.position > position || (last && last.position >= one.position)
        ? last
        : one,
    null,
  );
  const called = known?.entity_name ?? name;
  const head = text.startsWith(`${id} `) ? `${called}${text.slice(id.length)}` : text;
  return head.endsWith(` ${id}`) ? `${head.slice(0, -id.length)}${called}` : head;
}

/** What the cited facts come to on average. */
export function conceptStance(cited: readonly SupportRow[]): { stance: Stance; confidence: number } {
  if (cited.length === 0) return { stance: 'deprecated', confidence: 0.5 };
  const mean = rounded(cited.reduce((sum, { confidence }) => sum + confidence, 0) / cited.length);
  if (mean >= TWO_THIRDS) return { stance: 'supported', confidence: mean };
  return { stance: mean <= 1 - TWO_THIRDS ? 'contradicted' : 'uncertain', confidence: mean };
}

/** What the cited facts say of other concepts, the weightiest first. */
export function conceptEdges(
  cited: readonly Pick<SupportRow, 'other_id' | 'relation'>[],
  most: number,
): ConceptEdge[] {
  const edges = new Map<string, ConceptEdge>();
  for (const { other_id: to, relation } of cited) {
    if (to === null || relation === null) continue;
    const key = `${to} ${relation}`;
    edges.set(key, { to, relation, facts: (edges.get(key)?.facts ?? 0) + 1 });
  }
  return [...edges]
    .sort(([a, one], [b, other]) => other.facts - one.facts || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([, edge]) => edge);
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
