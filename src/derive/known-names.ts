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

/** What the names of an event were found to stand for: by normalised name the id, followed by what else it might. */
export type KeptNames = ReadonlyMap<string, readonly string[]>;

/** A name that stands for one of several entities. */
export interface AmbiguousName {
  /** As names are compared. */
  readonly name: string;
  /** The id that it stands for, followed by what else it might. */
  readonly ids: string[];
}

/** What was kept with an event (JSON text; null where nothing was). */
export function keptNames(resolved: string | null): KeptNames {
  return new Map(Object.entries((resolved === null ? {} : JSON.parse(resolved)) as Record<string, string[]>));
}

/** Those of the names that stand for one of several. */
export function ambiguousAmong(kept: KeptNames): AmbiguousName[] {
  return [...kept].flatMap(([name, ids]) => (ids.length > 1 ? [{ name, ids: [...ids] }] : []));
}

/** The names of entities, by which it is told what a name stands for at a place of the log. */
export class KnownNames {
  /** By scope and entity, each form once: the first that was given. */
  private readonly formsOf = new Map<string, Map<string, KnownForm>>();
  /** By scope and normalised name, the entities that have it. */
  private readonly having = new Map<string, Set<string>>();

  constructor(forms: readonly KnownForm[]) {
    for (const form of forms) this.learn(form);
  }

  /** Takes a form in; of one that is given several times the first counts. */
  learn(form: KnownForm): void {
    const { scope_ref, id, normalised_name, given } = form;
    const forms = entry(this.formsOf, keyOf(scope_ref, id), () => new Map<string, KnownForm>());
    const key = keyOf(String(given), normalised_name);
    const known = forms.get(key);
    if (known === undefined || form.position < known.position) forms.set(key, form);
    if (given) entry(this.having, keyOf(scope_ref, normalised_name), () => new Set<string>()).add(id);
  }

  /**
   * What a name stands for in a scope, by the forms that were given before a place of the log: the entity that goes by it there, else one
   * that has it as another name; of several the one that was known first; else one whose id is made from the name.
   */
  resolve(scopeRef: string, name: string, position: number): Resolved {
    const normal = normalisedName(name);
    const entities = [...(this.having.get(keyOf(scopeRef, normal)) ?? [])]
      .map((id) => this.knownBefore(scopeRef, id, position))
      .filter(({ forms }) => forms.some((form) => form.given && form.normalised_name === normal))
      .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
    const captioned = entities.filter(({ forms }) => captionOf(forms) === normal);
    const among = (captioned.length > 0 ? captioned : entities).map(({ id }) => id);
    return { id: among[0] ?? entityIdOf(name), among };
  }

  private knownBefore(scopeRef: string, id: string, position: number) {
    const all = [...(this.formsOf.get(keyOf(scopeRef, id))?.values() ?? [])];
    const forms = all.filter((form) => form.position < position);
    return { id, forms, since: Math.min(...forms.map((form) => form.position)) };
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** The name that was learned last. */
function captionOf(forms: readonly KnownForm[]): string | undefined {
  const [last] = forms
    .filter(({ given }) => given)
    .sort((a, b) => b.position - a.position || (a.normalised_name < b.normalised_name ? 1 : -1));
  return last?.normalised_name;
}
