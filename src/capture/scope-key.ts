import { createHash } from 'node:crypto';

import { levelPaths } from '../../schemas/scope.ts';

/** Shards that scopes are spread over; fixed when a store is created. */
export const SHARD_COUNT = 64;
/** Hex digits of a reference: 124 bits, so that no two paths of a deployment meet. */
const DIGITS = 31;

/** The stored reference of a scope: a letter and hex, so that it is one full-text term; the tenant is part of it. */
export function scopeRef(tenant: string, path: string): string {
  return `c${createHash('sha256').update(`${tenant}\n${path}`).digest('hex').slice(0, DIGITS)}`;
}

/** A reference that no scope has: reading it takes what reading an unknown scope takes. */
export const NO_SCOPE = `c${'0'.repeat(DIGITS)}`;

/** The references of every level of a scope, root first; the last is the scope's own. */
export function levelRefs(tenant: string, path: string): string[] {
  return levelPaths(path).map((level) => scopeRef(tenant, level));
}

/** The shard of a scope, 0..63. */
export function shardOf(ref: string): number {
  return Number.parseInt(ref.slice(1, 9), 16) % SHARD_COUNT;
}
