import { FORGET_LAYERS, type ForgetLayer } from '../../../schemas/forget.ts';
import type { Listed } from './lists.ts';
import type { Foreseen, Removal } from './removals.ts';
import type { Selector } from './selectors.ts';
import type { Find } from './store-look.ts';
import type { Way } from './ways.ts';
import type { World } from './world.ts';

/** Places of the store in which something may lie for a while though nobody is shown it, and what takes it away. */
const FOR_A_WHILE: readonly { readonly place: RegExp; readonly why: string }[] = [
  { place: /^Pack\b/, why: 'packs of recalls, two minutes' },
];

/** What holds the words of events of a session together: as long as one of them keeps its text, that is there. */
const OF_KEPT_TEXT = /^(SessionPassage|Passage)\b.*\.(text|session_text|window_\d|excerpt|words)$/;

/** What is written of an event and nothing that is derived from it. */
const OF_EVENTS =
  /^(Event|Passage|IdempotencyKey|ReleasedKey|Extraction|BlobUse|LifecycleEvent|StageRetry)\b/;

/** What an answer says of the question: the subject of a timeline is the one that was asked about. */
const ECHOES = /^factTimeline\.subject\.id$/;

/** What tells of a cancelled event: its frames, which stay as they were sent, by ids and modality, and its status, by its key. */
const TOLD_OF_CANCELLED =
  /^(frames|listLifecycle|query lifecycle)\b.*\.(derived\.\w+\[\]|ambiguous_entity\[\]\.ids\[\]|data\.modality)$|^(query )?experienceStatus\b.*\.(idempotency_key|idempotencyKey)$/;

/** Files belong to events that stay. */
const FILES = /^(Blob|BlobBody|BlobChunk)\b|^getBlob\b/;

/** What a find is judged by. */
export interface Judged {
  readonly world: World;
  readonly way: Way;
  /** Null where the removal selects by itself. */
  readonly selector: Selector | null;
  readonly removal: Removal;
  /** What the removal foresaw; null where it says nothing of that. */
  readonly said: Foreseen | null;
  /** What is listed behind it; null where nothing was removed. */
  readonly after: Listed | null;
}

/** Why a find may be there; null where it is a leak. */
export function classOf(find: Find, judged: Judged): string | null {
  const { world, way, selector, removal } = judged;
  const { by, place } = find;
  const inStore = by === 'store' || by === 'bytes';
  const whilst = inStore ? FOR_A_WHILE.find((one) => one.place.test(place)) : undefined;
  if (whilst !== undefined) return whilst.why;
  if (by === 'rest' && ECHOES.test(place)) return 'what was asked is repeated';
  if (way.stays?.places.test(place) === true && way.stays.unless?.includes(removal.name) !== true)
    return way.stays.why;
  // What is not of a scope is in no answer about one.
  if (way.name === 'time phrase' && /temporalPhrases|TemporalPhrases/.test(place))
    return way.stays?.why ?? null;
  if (way.name === 'vocabulary' && /vocabular/i.test(place)) return way.stays?.why ?? null;
  if (way.name === 'scope policy' && /scope|Policy/i.test(place)) return way.stays?.why ?? null;
  if (removal.leaves === 'unselected' || selector?.isExact === true)
    return isOfWhatStays(find, judged) ? 'what was not selected stays, and so do events' : null;
  if (removal.leaves === 'nothing') return null;
  if (removal.leaves === 'unread')
    return inStore || TOLD_OF_CANCELLED.test(place)
      ? 'what is cancelled is in no answer, and stays in the store, its frames and its status'
      : null;
  return ofKeptEvent(find, world.planted) ? 'the event stays as it is' : null;
}

/** Ids of all that was to go. */
function goneIds({ gone }: Foreseen): ReadonlySet<string> {
  return new Set(FORGET_LAYERS.flatMap((layer) => gone[layer]));
}

/** Whether a find is of something that stays where only what was selected goes: of a record, or of an entity that such a record names. */
function isOfWhatStays(find: Find, { world, said, after }: Judged): boolean {
  if (said === null || after === null) return false;
  const gone = goneIds(said);
  if (find.within.some((id) => gone.has(id))) return false;
  const events = world.planted.filter((id) => !gone.has(id));
  const records = FORGET_LAYERS.flatMap((layer) => after[LIST_OF[layer]] as readonly Item[]);
  const stays = [...events, ...records.map(({ id }) => id)];
  if (find.within.some((id) => stays.some((one) => id === one || id.startsWith(`${one}/`)))) return true;
  if (JSON.stringify([after.facts, after.beliefs]).toLowerCase().includes(world.value)) return true;
  return events.length > 0 && ofKeptEvent(find, events);
}

/** Whether a find is what an event says that stays, where the event is kept or shown. */
function ofKeptEvent({ by, place, within }: Find, planted: readonly string[]): boolean {
  const isWithin = within.some((id) => planted.some((event) => id === event || id.startsWith(`${event}/`)));
  if (by === 'bytes' || FILES.test(place)) return true;
  if (by === 'store') return (OF_EVENTS.test(place) && isWithin) || OF_KEPT_TEXT.test(place);
  // The text of a pack tells of the events that are in it.
  return isWithin || /(context_block|contextBlock|excerpts?|fragments?)\b/.test(place);
}

/** What changed of a world beside what was foreseen. */
export function changedBeside(world: World, before: Listed, after: Listed, said: Foreseen | null): string[] {
  if (said === null) return [];
  const faults: string[] = [];
  for (const layer of FORGET_LAYERS) {
    const [was, is] = [itemsOf(before, layer), itemsOf(after, layer)];
    const gone = new Set(said.gone[layer]);
    const stays = [...was.keys()].filter((id) => !gone.has(id));
    for (const id of gone) if (is.has(id)) faults.push(`${layer} ${id} was to go and is there`);
    const lost = stays.filter((id) => !is.has(id));
    const changed = stays.filter((id) => is.has(id) && is.get(id) !== was.get(id));
    const touched = lost.length + changed.length;
    if (touched > said.revised[layer])
      faults.push(
        `${layer}: ${touched} were changed, ${said.revised[layer]} foreseen: ${[...lost, ...changed.map((id) => `${id} (${unlikeFields(was.get(id), is.get(id))})`)].join(' ')}`,
      );
  }
  const allGone = goneIds(said);
  for (const { id, derives = [] } of after.events as readonly Item[])
    for (const one of derives) if (allGone.has(one)) faults.push(`event ${id} names ${one}, which was to go`);
  for (const id of world.bystanders) {
    const [was, is] = [itemsOf(before, 'events').get(id), itemsOf(after, 'events').get(id)];
    if (!said.gone.events.includes(id) && was !== is) faults.push(`bystander ${id} is not as it was`);
  }
  return faults;
}

/** The fields in which two records differ. */
function unlikeFields(was = '{}', is = '{}'): string {
  const [one, other] = [was, is].map((json) => JSON.parse(json) as Record<string, unknown>);
  const names = Object.keys({ ...one, ...other });
  return names
    .filter((name) => JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name]))
    .map((name) => `${name} ${JSON.stringify(one?.[name])} is ${JSON.stringify(other?.[name])}`)
    .join(', ');
}

interface Item {
  readonly id: string;
  readonly staleness_score?: number;
  readonly derives?: readonly string[];
}

const LIST_OF: Readonly<Record<ForgetLayer, keyof Listed>> = {
  events: 'events',
  facts: 'facts',
  beliefs: 'beliefs',
  episodes: 'episodes',
  understanding: 'concepts',
};

function itemsOf(all: Listed, layer: ForgetLayer): Map<string, string> {
  return new Map(
    // How stale a concept is grows by itself, and an event names what is derived from it.
    all[LIST_OF[layer]].map(({ staleness_score: _, derives: __, ...item }: Item) => [
      item.id,
      JSON.stringify(item),
    ]),
  );
}
