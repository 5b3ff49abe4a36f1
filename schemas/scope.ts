import { z } from 'zod';

/** At most this many segments in a scope path. */
export const MAX_SCOPE_SEGMENTS = 32;
/** At most this many characters in a scope path. */
export const MAX_SCOPE_LENGTH = 4096;

const SEGMENT_PATTERN = '[a-z][a-z0-9_]{0,31}:[A-Za-z0-9_.@+~-]{1,128}';
const SEGMENT = new RegExp(`^${SEGMENT_PATTERN}$`);

/** What a JSON schema says of a scope path, for fields that are checked elsewhere. */
export const SCOPE_SHAPE = {
  pattern: `^${SEGMENT_PATTERN}(?:/${SEGMENT_PATTERN}){0,${String(MAX_SCOPE_SEGMENTS - 1)}}$`,
  maxLength: MAX_SCOPE_LENGTH,
};

/** Segment types of the contract, which every preset allows. */
export const CONTRACT_SCOPE_TYPES = [
  'org',
  'dept',
  'team',
  'app',
  'user',
  'agent',
  'service',
  'ws',
  'project',
  'global',
  'system',
  'debug',
  'temp',
  'source',
] as const;

/** Further segment types that published clients write; allowed by default under `dev_local` only. */
export const CLIENT_SCOPE_TYPES = ['verify', 'ns', 'channel', 'issue', 'repo'] as const;

/** Why a text is no scope path, naming the offending segment; `null` when it is one. */
export function scopeFault(path: string): string | null {
  if (path.trim() === '') return 'a scope is one or more segments <type>:<name>, it cannot be blank';
  if (path.length > MAX_SCOPE_LENGTH)
    return `a scope has at most ${MAX_SCOPE_LENGTH} characters, this one has ${path.length}`;
  const segments = path.split('/');
  if (segments.length > MAX_SCOPE_SEGMENTS) {
    return `a scope has at most ${MAX_SCOPE_SEGMENTS} segments, this one has ${segments.length}`;
  }
  const index = segments.findIndex((segment) => !SEGMENT.test(segment));
  if (index < 0) return null;
  return `segment ${index + 1} (${JSON.stringify(segments[index]?.slice(0, 200))}) is not <type>:<name> with a type of a-z, 0-9, _ and a name of 1 to 128 letters, digits or _.@+~-`;
}

/** A scope path: 1 to 32 segments `<type>:<name>` joined by `/`. */
export const scopePath = z
  .string()
  .superRefine((path, context) => {
    const fault = scopeFault(path);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault, params: { reason: fault } });
  })
  .meta(SCOPE_SHAPE)
  .describe('Scope path: segments <type>:<name> joined by "/", 1 to 32 segments, at most 4096 characters.');

/** A scope path, or `<path>/*` for the scope and everything below it. */
export const scopeFilter = z
  .string()
  .superRefine((text, context) => {
    const fault = scopeFault(scopeOfFilter(text).path);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault, params: { reason: fault } });
  })
  .meta({
    pattern: SCOPE_SHAPE.pattern.replace(/\$$/, '(?:/[*])?$'),
    maxLength: MAX_SCOPE_LENGTH + '/*'.length,
  });

/** What a scope filter names: the path, and whether everything below it is meant too. */
export function scopeOfFilter(text: string): { readonly path: string; readonly subtree: boolean } {
  return text.endsWith('/*') ? { path: text.slice(0, -2), subtree: true } : { path: text, subtree: false };
}

/** The segment types named in a path, in order. */
export function segmentTypes(path: string): string[] {
  return path.split('/').map((segment) => segment.slice(0, segment.indexOf(':')));
}

/** The path of every level from the root to the scope itself: `a:1`, `a:1/b:2`, … */
export function levelPaths(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** How much of the scope tree a listing looks at. */
export const VIEWS = ['local', 'granular', 'raw', 'structured', 'holistic', 'lineage', 'descend'] as const;
export type View = (typeof VIEWS)[number];
