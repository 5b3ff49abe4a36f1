import type { Caller, Things } from './world.ts';

/** One request. */
export interface Knock {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The key of an upload. */
  readonly key?: string;
}

/** How an operation is guarded. */
export type Guard =
  /** Everybody is answered the same, for the reason in the operation table. */
  | 'open'
  /** Any caller with good credentials, whatever he may do. */
  | 'caller'
  /** Any caller of the tenant who has the capability: it concerns no scope. */
  | 'tenant'
  /** Reading one thing: to whom may not read it, it does not exist. */
  | 'thing'
  /** Reading what is in a scope: to whom may not read there, nothing is. */
  | 'view'
  /** Changing what belongs to whoever made it: to everybody else it does not exist. */
  | 'own'
  /** The same as a stream, which is looked at by itself. */
  | 'stream'
  /** Changing one thing by its id: hidden from whom may not read it, refused to whom may only read. */
  | 'change'
  /** Changing a scope by its name, as an owner: hidden and refused in the same way. */
  | 'named'
  /** Writing into a scope by its name: refused to whom is no member, without a word on what is there. */
  | 'write';

/** What stands for an operation: its guard, and a request about a thing in a scope. */
export interface Row {
  readonly guard: Guard;
  /** The weakest role that is let in; default reader for what reads, writer for what writes. */
  readonly role?: 'reader' | 'writer' | 'owner';
  readonly knock: (things: Things, scope: string, caller: Caller) => Knock;
  /** Status for whom is let in, where it is not a success. */
  readonly accepted?: number;
}
