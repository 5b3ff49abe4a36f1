import type { Mark } from './graph-model.ts';
import type { GraphEdge, NodeType } from './queries.ts';

/** The kinds in the order in which they are listed: what was concluded first, what it rests on after it. */
export const KINDS: readonly NodeType[] = ['concept', 'belief', 'fact', 'episode', 'event', 'entity'];

/** The letter that stands in a node of the picture. */
export const LETTERS: Readonly<Record<NodeType, string>> = {
  concept: 'C',
  belief: 'B',
  fact: 'F',
  episode: 'P',
  event: 'E',
  entity: '@',
};

/** More than one of a kind. */
export const PLURALS: Readonly<Record<NodeType, string>> = {
  concept: 'concepts',
  belief: 'beliefs',
  fact: 'facts',
  episode: 'episodes',
  event: 'events',
  entity: 'entities',
};

/** The sign of what became of a node or an edge. */
export const SIGNS: Readonly<Record<Mark, string>> = { appeared: '+', gone: '−', changed: '~' };

const FORWARD: Readonly<Record<string, string>> = {
  DERIVED_FROM: 'was stated by',
  CONCLUDED_FROM: 'was concluded from',
  SUPERSEDED_BY: 'gave way to',
  SUPPORTED_BY: 'rests on',
  CONTRADICTS: 'contradicts',
  SUBJECT: 'is about',
  OBJECT: 'names',
  ABOUT: 'is about',
  RELATES: 'is related to',
  SAME_AS: 'is the same as',
  CONTAINS: 'holds',
  FOLLOWS: 'follows',
  PRECEDED_BY: 'was preceded by',
};

const BACKWARD: Readonly<Record<string, string>> = {
  DERIVED_FROM: 'states',
  CONCLUDED_FROM: 'led to',
  SUPERSEDED_BY: 'took the place of',
  SUPPORTED_BY: 'supports',
  CONTRADICTS: 'is contradicted by',
  SUBJECT: 'is the subject of',
  OBJECT: 'is named by',
  ABOUT: 'is the topic of',
  RELATES: 'is related to by',
  SAME_AS: 'is the same as',
  CONTAINS: 'is in',
  FOLLOWS: 'is followed by',
  PRECEDED_BY: 'preceded',
};

/** What a node says of the other end of one of its edges. */
export function edgeInWords({ type, polarity, weight, relation }: GraphEdge, isForward: boolean): string {
  const verb = (isForward ? FORWARD : BACKWARD)[type] ?? type.toLowerCase().replaceAll('_', ' ');
  const against = isForward ? 'has against it' : 'counts against';
  const said = type === 'SUPPORTED_BY' && polarity === 'against' ? against : verb;
  const notes = [
    relation === null ? '' : relation.replaceAll('_', ' '),
    weight === null ? '' : `weight ${weight.toFixed(2)}`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? said : `${said} (${notes.join(', ')})`;
}
