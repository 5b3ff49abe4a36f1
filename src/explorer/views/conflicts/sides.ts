import type { Action, Conflict, Settlement, Stated, Statement, Status } from './queries.ts';

/** One side of a conflict: a value, and the statements that give it. */
export interface Side {
  /** What this side says: the value, or of values that one subject may have, the subject. */
  readonly value: string;
  readonly statements: readonly Statement[];
}

/** Whether the sides are subjects, of which one may have the value. */
export function isAboutSubjects({ records }: Pick<Conflict, 'records'>): boolean {
  return new Set(records.map(({ subject }) => subject)).size > 1;
}

/** The sides of a conflict in the order of the first statement of each. */
export function sidesOf(conflict: Pick<Conflict, 'records'>): readonly Side[] {
  const namesSubject = isAboutSubjects(conflict);
  const sides = new Map<string, Statement[]>();
  for (const record of conflict.records) {
    const value = namesSubject ? `${record.subject} ${record.object}` : record.object;
    sides.set(value, [...(sides.get(value) ?? []), record]);
  }
  return [...sides].map(([value, statements]) => ({ value, statements }));
}

/** A conflict as a question: which of its values? */
export function questionOf(conflict: Pick<Conflict, 'records' | 'predicate'>, name: string): string {
  const values = sidesOf(conflict).map(({ value }) => value);
  return `${name} ${conflict.predicate.replaceAll('_', ' ')}: ${values.join(' or ')}?`;
}

/** What a status says to a person. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  open: 'open',
  manually_resolved: 'settled',
  dismissed: 'dismissed',
  withdrawn: 'withdrawn',
};

/** What the fields of the form say, as somebody filled them in. */
export interface Filled {
  readonly winner: string;
  readonly earlier: string;
  readonly later: string;
  readonly boundary: string;
  readonly value: string;
  /** What the value is: `entity`, or `literal` and a datatype. */
  readonly kind: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly reason: string;
}

/**
 * A settlement as it is sent: of what was filled in, what belongs to the action, with what is stated by new information; what is empty is
 * left out, for the service to refuse.
 */
export function settlementOf(action: Action, filled: Filled, stated: Stated = {}): Settlement {
  const some = <Name extends keyof Filled>(...names: readonly Name[]): Partial<Pick<Filled, Name>> =>
    Object.fromEntries(
      names.filter((name) => filled[name] !== '').map((name) => [name, filled[name]]),
    ) as Partial<Pick<Filled, Name>>;
  if (action === 'pick') return { action, ...some('winner', 'reason') };
  if (action === 'dismiss') return { action, ...some('reason') };
  if (action === 'split') return { action, ...some('earlier', 'later', 'boundary') };
  return { action, record: { ...stated, ...some('validFrom', 'validTo') } };
}

/** What a settlement says, given the values of the statements that it names. */
export function settlementInWords(
  { records }: Pick<Conflict, 'records'>,
  resolution: NonNullable<Conflict['resolution']>,
): string {
  const valueOf = (id: string | null): string => records.find((one) => one.id === id)?.object ?? id ?? '';
  const { action, winner, earlier, later, boundary } = resolution;
  switch (action) {
    case 'pick':
      return `${valueOf(winner)} holds`;
    case 'split':
      return `${valueOf(earlier)} holds until ${boundary ?? ''}, ${valueOf(later)} from then on`;
    case 'new_information':
      return 'something else holds';
    case 'dismiss':
      return 'there is no conflict';
  }
}
