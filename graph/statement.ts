import neo4j, { type Integer } from 'neo4j-driver';

import type { Instant } from './instant.ts';

/** A JavaScript number always travels to Neo4j as a float; this brand marks the ones that are meant to. */
export type Real = number & { readonly __real: unique symbol };

/** What may be sent as a statement parameter. `number` is left out on purpose: say {@link int} or {@link real}. */
export type Param =
  | string
  | boolean
  | null
  | Integer
  | Instant
  | Real
  | Int8Array
  | readonly Param[]
  | { readonly [key: string]: Param };

/** Named parameters of a statement. */
export type Params = Readonly<Record<string, Param>>;

/** An integer parameter (offset, instant, count, limit); throws on anything that is not a safe integer. */
export function int(value: number): Integer {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer`);
  return neo4j.int(value);
}

/** An integer parameter, or null. */
export function intOrNull(value: number | null): Integer | null {
  return value === null ? null : int(value);
}

/** A floating-point parameter. */
export function real(value: number): Real {
  return value as Real;
}

/** Bytes as a parameter, without copying them: the driver tells bytes by this type. */
export function bytes(value: Uint8Array): Int8Array {
  return new Int8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** One Cypher text with a name, its parameters and the rows that it answers. */
export interface Statement<P extends Params = Params, R = Record<string, unknown>> {
  readonly name: string;
  /** The index or constraint that the statement relies on. */
  readonly reliesOn: string;
  readonly text: string;
  /** Waited for however long it takes: schema work on a large store. */
  readonly patient?: true;
  /** In the language of the newer line of servers; the older one (5.26) does not take it. */
  readonly cypher25?: true;
  /** Types only. */
  readonly __types?: (params: P) => R;
}

const registry = new Map<string, Statement>();

/**
 * All parameters travel as members of one map. The server plans a text anew for every size class of a list or string among its
 * parameters (internal.cypher.use_parameter_size), each of which takes seconds on a cold server; a map has no size to it.
 */
const MAP = 'p';

/** What is sent with the text of a statement. */
export function boltParameters(params: Params): Record<string, Params> {
  return { [MAP]: params };
}

/** Keeps a plan however the store grows: the server would make it anew at each fourfold growth, which takes seconds. */
const KEEP_PLAN = 'CYPHER replan=skip';

/**
 * Declares a statement. Names are unique. Its plan, once made, is kept: so it has to be good on an empty store, on a young and on a
 * full one, and a test explains every declared statement on all three. Integers of answered rows arrive as JavaScript numbers.
 */
export function statement<P extends Params, R>(
  name: string,
  reliesOn: string,
  text: string,
  options: { patient?: true; cypher25?: true } = {},
): Statement<P, R> {
  if (registry.has(name)) throw new Error(`two statements are named ${name}`);
  const mapped = text.replaceAll(/\$(\w+)/g, `$${MAP}.$1`);
  const language = options.cypher25 === true ? KEEP_PLAN.replace('CYPHER', 'CYPHER 25') : KEEP_PLAN;
  const command = text.startsWith('SHOW') ? text : `${language}\n${mapped}`;
  const declared: Statement<P, R> = { name, reliesOn, text: command, ...options };
  registry.set(name, declared as unknown as Statement);
  return declared;
}

/** Every statement declared by the modules loaded so far, by name. */
export function declaredStatements(): ReadonlyMap<string, Statement> {
  return registry;
}
