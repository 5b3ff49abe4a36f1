import { MAX_AMBIGUOUS_IDS } from '../limits.ts';
import { entityIdOf, normalisedName } from './entity.ts';

/** Behind whatever the log has by now. */
export const NEXT_PLACE = Number.MAX_SAFE_INTEGER;

/** A form under which an entity of a scope is known, from the first statement on that gives it. */
export interface KnownForm {
  readonly scope_ref: string;
  /** Id of the entity. */
  readonly id: string;
  /** As names are compared. */
  readonly normalised_name: string;
  /** False where the statement gives no name: the form is the id. */
  readonly given: boolean;
  /** Place in the log of the statement. */
  readonly position: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
}

/** What a name stands for at a place of the log. */
export interface Resolved {
  readonly id: string;
  /** All that it may stand for there, the earliest first; none where nothing has the name, and the id was made from it. */
  readonly among: readonly string[];
}

/** What the names of an event were found to stand for: the id of each normalised name. */
export type KeptNames = ReadonlyMap<string, string>;

/** A name that stands for one of several entities. */
export interface AmbiguousName {
  /** As names are compared. */
  readonly name: string;
  /** The id that it stands for, followed by what else it might. */
  readonly ids: string[];
}

/** What was kept with an event (JSON text; null where nothing was). */
export function keptNames(resolved: string | null): KeptNames {
  return new Map(Object.entries((resolved === null ? {} : JSON.parse(resolved)) as Record<string, string>));
}

/** Which of the names of an event were kept as ambiguous (JSON text; null where none was). */
export function keptAmbiguous(ambiguous: string | null): AmbiguousName[] {
  return ambiguous === null ? [] : (JSON.parse(ambiguous) as AmbiguousName[]);
}

/** Ambiguous names without entities that are gone: those that may still stand for one of several. */
export function withoutEntities(names: readonly AmbiguousName[], gone: ReadonlySet<string>): AmbiguousName[] {
  return names.flatMap(({ name, ids: all }) => {
    const ids = all.filter((id) => !gone.has(id));
    return ids.length > 1 ? [{ name, ids }] : [];
  });
}

/** An entity that has a name. */
interface Bearer {
  readonly id: string;
  /** Place in the log from which on the entity is known, under whatever form. */
  readonly since: number;
  /** Whether it is the name that was learned last. */
  readonly isCaption: boolean;
}

/**
 * The names of entities, by which it is told what a name stands for at a place of the log. Of the entities of a scope that have a name
 * those {@link MAX_AMBIGUOUS_IDS} count that had it first.
 */
export class KnownNames {
  /** By scope and entity, each form once: the first that was given. */
  private readonly formsOf = new Map<string, Map<string, KnownForm>>();
  /** By scope and normalised name, the forms that give it to entities, also those that were given before; nearly in the order of the log. */
  private readonly giving = new Map<string, KnownForm[]>();

  constructor(forms: readonly KnownForm[]) {
    for (const form of forms) this.learn(form);
  }

  /** Takes a form in; of one that is given several times the first counts. */
  learn(form: KnownForm): void {
    const { scope_ref, id, normalised_name, given } = form;
    const forms = entry(this.formsOf, keyOf(scope_ref, id), () => new Map<string, KnownForm>());
    const key = keyOf(String(given), normalised_name);
    const known = forms.get(key);
    if (known !== undefined && known.position <= form.position) return;
    forms.set(key, form);
    if (!given) return;
    entry(this.giving, keyOf(scope_ref, normalised_name), (): KnownForm[] => []).push(form);
  }

  /**
   * What a name stands for in a scope, by the forms that were given before a place of the log: the entity that goes by it there, else one
   * that has it as another name; of several the one that was known first; else one whose id is made from the name.
   */
  resolve(scopeRef: string, name: string, position: number): Resolved {
    const bearers = this.bearers(scopeRef, normalisedName(name), position);
    const captioned = bearers.filter(({ isCaption }) => isCaption);
    const among = (captioned.length > 0 ? captioned : bearers).map(({ id }) => id);
    return { id: among[0] ?? entityIdOf(name), among };
  }

  /** The entities of a scope that have a normalised name before a place of the log, in the order in which it stands for them. */
  bearers(scopeRef: string, normal: string, position: number): Bearer[] {
    const found = new Map<string, Bearer>();
    for (const form of this.giving.get(keyOf(scopeRef, normal))?.sort(inOrder) ?? []) {
      if (form.position >= position || found.size === MAX_AMBIGUOUS_IDS) break;
      if (found.has(form.id)) continue;
      const all = this.formsOf.get(keyOf(scopeRef, form.id))?.values() ?? [];
      found.set(form.id, bearer(form, [...all], position));
    }
    return [...found.values()].sort(
      (a, b) => Number(b.isCaption) - Number(a.isCaption) || a.since - b.since || (a.id < b.id ? -1 : 1),
    );
  }
}

/** An entity that has a name by a form, with all forms of it, at a place of the log. */
function bearer(form: KnownForm, all: readonly KnownForm[], position: number): Bearer {
  let [since, caption] = [form.position, form];
  for (const one of all) {
    if (one.position < since) since = one.position;
    if (one.given && one.position < position && isLater(one, caption)) caption = one;
  }
  return { id: form.id, since, isCaption: caption === form };
}

/** Whether an entity that was given two names goes by this one rather than by the other. */
function isLater(one: KnownForm, other: KnownForm): boolean {
  return one.position === other.position
    ? one.normalised_name > other.normalised_name
    : one.position > other.position;
}

/** Forms by which entities have a name, those first that were given first. */
function inOrder(one: KnownForm, other: KnownForm): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
