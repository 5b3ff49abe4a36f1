import type { FRAME_NAMES, LifecycleItem } from '../../schemas/lifecycle.ts';

/** Names of frames behind which records of their scope are others than before. */
export const CHANGING_FRAMES = [
  'captured',
  'consolidated',
  'cancelled',
  'forgotten',
  'policy_changed',
  'synthesis_complete',
  'erasure_complete',
] as const satisfies readonly (typeof FRAME_NAMES)[number][];

/** Ids of the records that frames say something of; null where one of them does not tell which they are. */
export function touchedBy(frames: readonly LifecycleItem[]): ReadonlySet<string> | null {
  const touched = new Set<string>();
  for (const { event, data } of frames) {
    if (event !== 'captured' && event !== 'consolidated') return null;
    for (const id of idsOf(data)) touched.add(id);
  }
  return touched;
}

function idsOf(data: LifecycleItem['data']): string[] {
  const derived = isObject(data.derived) ? data.derived : {};
  const lists = [
    [data.event_id],
    derived.facts,
    derived.beliefs,
    derived.episodes,
    data.episodes_touched,
    data.concepts_touched,
    data.beliefs_revised,
    Array.isArray(data.facts_superseded) ? data.facts_superseded.flatMap(bothFacts) : [],
  ];
  return lists.filter((list) => Array.isArray(list)).flatMap((list) => list.flatMap(idOf));
}

/** The id of an entry of a list: the text itself, or what an object has as `id`. */
function idOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  return isObject(entry) && typeof entry.id === 'string' ? [entry.id] : [];
}

/** The fact that was superseded, and the one that took its place. */
function bothFacts(entry: unknown): unknown[] {
  return isObject(entry) ? [entry.old, entry.new] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
