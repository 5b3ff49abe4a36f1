import { getNamedType, type GraphQLInputType } from 'graphql';

import type { StrataError } from '../src/errors.ts';

/** The fields of the input `AsOf`, and what REST calls them: they are parameters of their own there. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  at: 'as_of',
  valid: 'as_of_valid',
  recorded: 'as_of_recorded',
};
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(WIRE_NAMES).map(([field, wire]) => [wire, field]),
);

/** Whether an argument or a field of an input is an `AsOf`. */
export function isAsOf(type: GraphQLInputType | undefined): boolean {
  return getNamedType(type)?.name === 'AsOf';
}

/** The instants of an `AsOf` under their names of REST; those that are `null` are left out. */
export function wireInstants(asOf: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(asOf).flatMap(([field, at]: [string, unknown]) => {
      const wire = WIRE_NAMES[field];
      return wire === undefined || at === null || at === undefined ? [] : [[wire, at]];
    }),
  );
}

type ErrorText = Pick<StrataError, 'message' | 'details'>;

/**
 * What an error says, with instants named as the caller wrote them where it is about one of them: `asOf.valid` for
 * `as_of_valid`. Other errors stay as they are.
 */
export function renameInstants({ message, details }: ErrorText): ErrorText {
  const { field_path: path, reason, allowed } = details ?? {};
  if (typeof path !== 'string' || !IS_INSTANT.test(path)) return { message, details };
  const field = asWritten(path);
  const instants = Array.isArray(allowed) ? allowed.map(String).filter((name) => FIELDS.has(name)) : null;
  if (instants !== null && !instants.includes(path)) {
    const why = instants.includes('as_of_valid') ? ONE_AXIS : NO_VALID_TIME;
    const shown = { field_path: field, reason: why, allowed: instants.map(asWritten) };
    return { message: `${field}: ${why}`, details: shown };
  }
  const why = typeof reason === 'string' ? { reason: asWritten(reason) } : {};
  return { message: asWritten(message), details: { ...details, field_path: field, ...why } };
}

/** An instant of a reading or of a recall; a key of JSON that has the same name stands deeper. */
const IS_INSTANT = /^(?:temporal\.)?as_of(?:_valid|_recorded)?$/;

/**
 * Of the three parameters every reading on REST has all, or all but `as_of_valid`, which is unknown there then; but one that names the
 * instants of an axis by itself, and leaves the other one.
 */
const ONE_AXIS = 'is refused, since one of the axes has its instants already';
const NO_VALID_TIME = 'is refused, since what is read here has no valid time';

function asWritten(text: string): string {
  return text.replaceAll(/\bas_of(?:_valid|_recorded)?\b/g, (wire) => `asOf.${FIELDS.get(wire) ?? wire}`);
}
