import type { ActiveFact, Statement } from './statement.ts';
import type { Directives } from '../../../schemas/envelope.ts';
import type { ClaimChange, ClaimStand } from './change.ts';

/** Layers that rest on statements, each on those before it. */
const LAYERS = ['facts', 'beliefs', 'understanding'] as const;

/**
 * How far up the layers what an event states counts: a layer that its directives ask for counts with all that it rests on. Null where
 * they ask for none of these; undefined where it counts in all.
 */
export function maxLayerOf(directives: Directives | undefined): Statement['max_layer'] | null {
  const extract = directives?.extract;
  if (extract === undefined || extract.includes('understanding')) return undefined;
  if (extract.includes('beliefs')) return 'beliefs';
  return extract.includes('facts') ? 'facts' : null;
}

/** The lower of two last layers; undefined where both are all. */
export function maxLayerOfBoth(a: Statement['max_layer'], b: Statement['max_layer']): Statement['max_layer'] {
  return a === 'facts' || b === undefined ? a : b;
}

/** A change of a claim as a layer sees it: without the statements that do not count there, and the facts that only these carry. */
export function seenBy(layer: 'beliefs' | 'understanding', change: ClaimChange): ClaimChange {
  const stands = [change.before, ...change.snapshots];
  const all = stands.flatMap(({ activeFacts, denials }) => [
    ...activeFacts.flatMap(({ supports }) => supports),
    ...denials,
  ]);
  if (all.every((one) => counts(one, layer))) return change;
  return {
    ...change,
    before: seenStand(layer, change.before),
    snapshots: change.snapshots.map((snapshot) => ({ ...snapshot, ...seenStand(layer, snapshot) })),
  };
}

function seenStand(layer: 'beliefs' | 'understanding', { activeFacts, denials }: ClaimStand): ClaimStand {
  return {
    activeFacts: activeFacts
      .map((fact): ActiveFact => ({ ...fact, supports: fact.supports.filter((one) => counts(one, layer)) }))
      .filter(({ supports }) => supports.length > 0),
    denials: denials.filter((one) => counts(one, layer)),
  };
}

function counts({ max_layer }: Statement, layer: (typeof LAYERS)[number]): boolean {
  return max_layer === undefined || LAYERS.indexOf(max_layer) >= LAYERS.indexOf(layer);
}
