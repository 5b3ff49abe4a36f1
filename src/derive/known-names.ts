import { entityIdOf, normalisedName } from './entity.ts';
import { grouped } from './grouped.ts';

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
  private readonly forms = new Map<string, KnownForm>();

  constructor(forms: readonly KnownForm[]) {
    for (const form of forms) this.learn(form);
  }

  /** Takes a form in; of one that is given several times the first counts. */
  learn(form: KnownForm): void {
    const { scope_ref, id, normalised_name, given } = form;
    const key = JSON.stringify([scope_ref, id, given, normalised_name]);
    const known = this.forms.get(key);
    if (known === undefined || form.position < known.position) this.forms.set(key, form);
  }

  /**
   * What a name stands for in a scope, by the forms that were given before a place of the log: the entity that goes by it there, else one
   * that has it as another name; of several the one that was known first; else one whose id is made from the name.
   */
  resolve(scopeRef: string, name: string, position: number): Resolved {
    const normal = normalisedName(name);
    const before = [...this.forms.values()].filter(
      (form) => form.scope_ref === scopeRef && form.position < position,
    );
    const entities = [...grouped(before, ({ id }) => id)]
      .map(([id, forms]) => ({ id, forms, since: Math.min(...forms.map((form) => form.position)) }))
      .filter(({ forms }) => forms.some((form) => form.given && form.normalised_name === normal))
      .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
    const captioned = entities.filter(({ forms }) => captionOf(forms) === normal);
    const among = (captioned.length > 0 ? captioned : entities).map(({ id }) => id);
    return { id: among[0] ?? entityIdOf(name), among };
  }
}

/** The name that was learned last. */
function captionOf(forms: readonly KnownForm[]): string | undefined {
  const [last] = forms
    .filter(({ given }) => given)
    .sort((a, b) => b.position - a.position || (a.normalised_name < b.normalised_name ? 1 : -1));
  return last?.normalised_name;
}
