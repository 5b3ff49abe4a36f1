import { maxLayerOfBoth } from './max-layer.ts';
import type { Statement } from './statement.ts';

/** That something of an event is to be forgotten in a layer: the statements of these ids, or (null) all. */
export interface Forgotten {
  readonly layer: 'facts' | 'beliefs' | 'understanding' | 'episodes';
  readonly ids: readonly string[] | null;
}

/** How far a statement counts. */
export type StatementLimits = Pick<Statement, 'max_layer' | 'not_about'>;

/** Whether nothing that an event states is derived from it. */
export function statesNothing(forgotten: readonly Forgotten[]): boolean {
  return forgotten.some(({ layer, ids }) => layer === 'facts' && ids === null);
}

/** Whether an event is in no episode. */
export function isInNoEpisode(forgotten: readonly Forgotten[]): boolean {
  return forgotten.some(({ layer }) => layer === 'episodes');
}

/**
 * How far a statement counts once something of its event is forgotten; null where nothing is left of it. Links give it other ids: what is
 * forgotten under one of them is forgotten under all (`ids`), so that it comes back with no link, and with the end of none.
 *
 * @param limits how far it counts by its event
 */
export function limitsOf(
  ids: readonly string[],
  limits: StatementLimits,
  forgotten: readonly Forgotten[],
): StatementLimits | null {
  const isIn = (layer: Forgotten['layer'], side = ''): boolean =>
    forgotten.some((one) => one.layer === layer && (one.ids?.some((id) => isOf(id, ids, side)) ?? true));
  if (isIn('facts')) return null;
  if (isIn('beliefs')) return { max_layer: 'facts' };
  const [subject, object] = [isIn('understanding', '/subject'), isIn('understanding', '/object')];
  const max_layer = maxLayerOfBoth(limits.max_layer, subject && object ? 'beliefs' : undefined);
  if (max_layer !== undefined) return { max_layer };
  if (!subject && !object) return {};
  return { not_about: subject ? 'subject' : 'object' };
}

function isOf(forgotten: string, ids: readonly string[], side: string): boolean {
  return ids.some((id) => forgotten === `${id}${side}`);
}
