import type { NamedEntity, StatedValue, TermInput } from './queries.ts';

/** What a value is: an entity, or a literal of a datatype. */
export type ValueKind = 'entity' | `literal ${string}`;

const TEXT: ValueKind = 'literal string';
const WORDS: Readonly<Record<string, string>> = {
  entity: 'an entity',
  [TEXT]: 'a text',
  'literal boolean': 'true or false',
  'literal number': 'a number',
  'literal integer': 'a whole number',
  'literal date': 'a date',
  'literal datetime': 'an instant',
};
/** Datatypes whose values are texts; others carry any JSON value. */
const TEXTS: readonly string[] = ['string', 'date', 'datetime'];

/** What the values on the sides of a conflict are, each kind once, in their order; a text where nothing is known of them. */
export function kindsOf(values: readonly StatedValue[]): readonly [ValueKind, ...ValueKind[]] {
  const [first = TEXT, ...others] = new Set(
    values.map((value): ValueKind => (value.type === 'entity' ? 'entity' : `literal ${value.datatype}`)),
  );
  return [first, ...others];
}

/** What a kind is called. */
export function kindInWords(kind: ValueKind): string {
  return WORDS[kind] ?? datatypeOf(kind);
}

/** What was typed as a literal of a kind. What is no value of that kind stays a text, for the service to refuse. */
export function literalOf(kind: string, typed: string): TermInput {
  const datatype = datatypeOf(kind);
  return { literal: { datatype, value: TEXTS.includes(datatype) ? typed : jsonIn(typed) } };
}

/** The entities that have a text as a name, whatever its case and blanks. */
export function entitiesCalled(
  text: string,
  entities: readonly (NamedEntity & { readonly aliases: readonly string[] })[],
): readonly NamedEntity[] {
  return entities
    .filter(({ name, aliases }) => [name ?? '', ...aliases].some((one) => normal(one) === normal(text)))
    .map(({ id, name }) => ({ id, name }));
}

function datatypeOf(kind: string): string {
  return kind.replace(/^literal /, '');
}

function jsonIn(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch (error) {
    if (error instanceof SyntaxError) return typed;
    throw error;
  }
}

function normal(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ');
}
