import { indexTerms, type SoughtTerms } from '../capture/search-words.ts';
import { searchableText } from '../capture/searchable-text.ts';
import { PACK_TURN_UNITS } from '../limits/recall.ts';
import { inTurns } from '../recall/steps.ts';
import { findingWeak } from '../recall/weak.ts';
import { othersTurn } from '../wakeup.ts';
import { beliefText, factText } from './recall-entry.ts';
import type { RankedLayers } from './recall-layers.ts';

/** Whether nothing that was found says much of what is looked for; others have their turn while long texts are gone through. */
export async function isWeakPack(words: readonly SoughtTerms[], found: RankedLayers): Promise<boolean> {
  if (words.length === 0) return false;
  const steps = findingWeak(textsIn(found), { words, termsOf: indexTerms });
  return inTurns(steps, PACK_TURN_UNITS, othersTurn);
}

function* textsIn({ events, facts, beliefs }: RankedLayers): Generator<string> {
  for (const { item } of events) yield searchableText(item.content);
  for (const { item } of facts) yield factText(item);
  for (const { item } of beliefs) yield beliefText(item);
}
