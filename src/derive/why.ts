import type { BeliefItem } from '../../schemas/belief.ts';
import type { FactItem } from '../../schemas/fact.ts';
import type { ProvenanceGraph, WhyNode } from '../../schemas/provenance.ts';
import { quoted } from '../../schemas/text.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';
import type { Evidence } from './belief/weight.ts';

/** Records of one kind that a narrative names. */
const MOST_NAMED = 5;

/** A statement by the names of what it is about. */
export interface NamedStatement {
  readonly subject: string;
  readonly predicate: string;
  readonly object: Term | null;
}

/** What a statement says, in words: its names as they were given. */
export function sentence({ subject, predicate, object }: NamedStatement): string {
  return [subject, predicate.replaceAll('_', ' '), objectText(object)].join(' ');
}

/** The same in short. */
export function phrase(said: NamedStatement): string {
  return quoted(sentence(said));
}

/** When something holds, in words. */
export function span(from: number, to: number): string {
  const since = toRfc3339(from);
  if (to === OPEN_END) return `since ${since}`;
  return from === to ? 'at no time' : `from ${since} to ${toRfc3339(to)}`;
}

/** Why something is believed, told from the records alone: the same records give the same words. */
export function narrative(belief: BeliefItem, graph: ProvenanceGraph): string {
  const { claim, stance, confidence, confidence_interval: interval } = belief;
  const { name = claim.subject.id } = claim.subject;
  const what = phrase({ subject: name, predicate: claim.predicate, object: claim.object });
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const side = (polarity: Evidence['polarity']) =>
    belief.supports.filter((one) => one.polarity === polarity).flatMap(({ id }) => byId.get(id) ?? []);
  return sentences([
    `That ${what} is ${stance}: confidence ${share(confidence)}, with 90 % probability between ${share(interval.lower)} and ${share(interval.upper)}.`,
    `It ${heldWhen(belief)}.`,
    listNodes('For it', side('supports')),
    listNodes('Against it', side('against')),
    ...reasons(graph),
  ]);
}

/** Why a fact is known, in the same way. */
export function factNarrative(fact: FactItem, graph: ProvenanceGraph): string {
  const { subject, predicate, object, supports, supports_capped: capped = false, recorded_to: ended } = fact;
  const what = phrase({ subject: subject.name ?? subject.id, predicate, object });
  const events = `${capped ? 'more than ' : ''}${supports.length} event${supports.length === 1 ? '' : 's'}`;
  return sentences([
    `That ${what} is stated by ${events}: confidence ${share(fact.confidence)}.`,
    `It ${heldWhen(fact)}.`,
    ended === null ? '' : `It is not the newest value since ${ended}.`,
    ...reasons(graph),
  ]);
}

/** What was concluded, and what was said, of all records of a graph. */
function reasons({ nodes, edges }: ProvenanceGraph): string[] {
  const ends = (relation: string): WhyNode[] => {
    const ids = new Set(edges.filter((edge) => edge.relation === relation).map(({ to }) => to));
    return nodes.filter(({ id }) => ids.has(id));
  };
  const said = ends('extracted_from').filter(({ type }) => type === 'event');
  return [listNodes('It was concluded from', ends('concluded_from')), listNodes('What was said', said)];
}

function sentences(all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}

function heldWhen({ valid_from, valid_to }: Pick<FactItem, 'valid_from' | 'valid_to'>): string {
  if (valid_to === null) return `holds since ${valid_from}`;
  return valid_from === valid_to ? 'held at no time' : `held from ${valid_from} to ${valid_to}`;
}

function listNodes(what: string, nodes: readonly WhyNode[]): string {
  if (nodes.length === 0) return '';
  const some = nodes.slice(0, MOST_NAMED).map(({ summary }) => `“${summary}”`);
  const more = nodes.length > MOST_NAMED ? ` and ${nodes.length - MOST_NAMED} more` : '';
  return `${what}: ${some.join(', ')}${more}.`;
}

/** The object of a statement in words: the name of an entity, else its id; a text, else the JSON of a value; of one that cannot be shown, a sign. */
export function objectText(object: Term | null): string {
  if (object === null) return '…';
  if (object.type === 'entity') return object.name ?? object.id;
  return typeof object.value === 'string' ? object.value : JSON.stringify(object.value);
}

function share(value: number): string {
  return value.toFixed(2);
}
