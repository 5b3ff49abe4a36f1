import { z } from 'zod';

import { isJsonObject } from './json.ts';
import { CAPABILITIES, capabilityPattern } from './policy.ts';
import { scopePath, VIEWS } from './scope.ts';

/** Entries of one retention policy at most: the layers, and one for each source system. */
export const MAX_RETENTION_ENTRIES = 64;
/** Predicates of one cardinality policy at most. */
export const MAX_CARDINALITY_ENTRIES = 256;
/** Scopes that one policy may inherit from, beside its ancestors: each is read with every reading of the scope. */
export const MAX_INHERITED_SCOPES = 32;
/** Longest retention, days: a hundred years. The shortest is one day. */
export const MAX_RETENTION_DAYS = 36_500;

/** Layers that a retention policy may name. */
export const RETENTION_LAYERS = ['events', 'facts', 'beliefs', 'episodes', 'understanding'] as const;

/** The entry of a source system in a retention policy. */
export const SOURCE_KEY = /^source:[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const DURATION =
  /^P(?=.)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/;
const DAY_S = 86_400;
const SECONDS = [365 * DAY_S, 30 * DAY_S, 7 * DAY_S, DAY_S, 3_600, 60, 1] as const;

/**
 * Days of an ISO-8601 duration (a year counts 365, a month 30); null for a text that is none, or one of less than a day or of
 * more than a hundred years.
 */
export function durationDays(text: string): number | null {
  const parts = DURATION.exec(text);
  if (parts === null) return null;
  // Whole seconds, since parts of days do not add up exactly.
  const seconds = SECONDS.reduce((sum, each, i) => sum + each * Number(parts[i + 1] ?? 0), 0);
  const days = seconds / DAY_S;
  return days >= 1 && days <= MAX_RETENTION_DAYS ? days : null;
}

/** Entries of an object, each checked; kept as they are, a key `__proto__` included. */
function entries<Value = string>(
  maximum: number,
  fault: (key: string, value: unknown) => { message: string; code?: string } | null,
) {
  const schema = z
    .unknown()
    .superRefine((value, context) => {
      const refuse = (message: string, path: string[] = [], code?: string): void => {
        context.addIssue({
          code: 'custom',
          message,
          path,
          ...(code === undefined ? {} : { params: { error_code: code } }),
        });
      };
      if (!isJsonObject(value)) {
        refuse('must be an object');
        return;
      }
      const keys = Object.keys(value);
      if (keys.length > maximum) refuse(`may have at most ${maximum} entries`);
      for (const key of keys.slice(0, maximum)) {
        const found = fault(key, value[key]);
        if (found !== null) refuse(found.message, [key.slice(0, 200)], found.code);
      }
    })
    .meta({ type: 'object', maxProperties: maximum });
  return schema as unknown as z.ZodType<Record<string, Value>, Record<string, Value>>;
}

const isLayer = (key: string): boolean => RETENTION_LAYERS.some((layer) => layer === key);

const retention = entries<string | null>(MAX_RETENTION_ENTRIES, (key, value) => {
  const code = 'INVALID_RETENTION_POLICY';
  if (!isLayer(key) && !SOURCE_KEY.test(key))
    return { code, message: `is neither source:<system> nor one of ${RETENTION_LAYERS.join(', ')}` };
  if (typeof value === 'string' && durationDays(value) !== null) return null;
  if (value === null && isLayer(key)) return null;
  const keeps = isLayer(key) ? ', nor null' : '';
  return {
    code,
    message: `is not an ISO-8601 duration such as P90D, from one day to ${MAX_RETENTION_DAYS} days${keeps}`,
  };
}).describe(
  'How long records are kept: ISO-8601 durations (P90D, P1Y; one day to 36500 days) by layer (events, facts, beliefs, episodes, understanding) or, for events, by source system (source:<system>). The shortest of the scope and those above it, up to the topmost one with a roster, holds; null of a layer keeps in the scope itself, whatever those above it state, and below it where nobody states a duration. To change it takes forget.gdpr.',
);

/** How many values of a predicate hold at once. */
export const CARDINALITIES = ['one', 'many', 'exclusive'] as const;
export type Cardinality = (typeof CARDINALITIES)[number];

const cardinality = entries(MAX_CARDINALITY_ENTRIES, (key, value) => {
  if (key.trim() === '' || key.length > 256) return { message: 'is not a predicate of 1 to 256 characters' };
  if (CARDINALITIES.some((name) => name === value)) return null;
  return { message: `must be one of ${CARDINALITIES.join(', ')}` };
})
  .meta({
    propertyNames: { maxLength: 256, pattern: '\\S' },
    additionalProperties: { enum: [...CARDINALITIES] },
  })
  .describe(
    'How many values a predicate has at once, by predicate: one, many, or exclusive (one subject for each value). Counts for what is captured from then on.',
  );

const patterns = (what: string) =>
  z.array(capabilityPattern).max(CAPABILITIES.length).optional().describe(what);

const capabilities = z
  .strictObject({
    allow: patterns('What the scope leaves of what the tiers above it allow; all of it when left out.'),
    deny: patterns('What the scope refuses, whatever any other tier says.'),
  })
  .describe(
    'The scope tier of the policy stack: holds in the scope and in everything below it, for members and for the operator. It has to leave scope.manage, since nobody could change it back.',
  );

/** What a scope states for itself and for what lies below it. */
export const scopePolicies = z.strictObject({
  consolidation: z
    .enum(['eager', 'periodic', 'manual'])
    .optional()
    .describe(
      'When derived records are revised: `eager` (default) at once, `periodic` together after an interval, `manual` when somebody asks.',
    ),
  conflict_resolution: z
    .enum(['latest_wins', 'highest_confidence', 'keep_both'])
    .optional()
    .describe(
      'Which of two contradicting statements holds; default latest_wins. Counts for what is captured from then on.',
    ),
  inherit_from: z
    .array(scopePath)
    .max(MAX_INHERITED_SCOPES)
    .optional()
    .describe(
      'Scopes whose policies hold where this one states none, first ones first, before those of its ancestors; retention is inherited from ancestors alone. Who may not read a scope is not shown what it states.',
    ),
  audit: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Whether reads and writes of the scope leave rows in the audit log; default on. Refusals leave them all the same, and so does what changes policies, rosters or legal holds, forgets, erases, cancels or derives anew.',
    ),
  retention: retention.optional(),
  default_view: z
    .enum(VIEWS)
    .optional()
    .describe(
      'View of readings of the scope that name none, `local` for callers who may not have it; when left out holistic for recalls and what is made of them, local for listings.',
    ),
  cardinality: cardinality.optional(),
  capabilities: capabilities.optional(),
});
export type ScopePolicies = z.output<typeof scopePolicies>;

/** A policy that is not a scope's own: its value, and the scope that states it. */
const inherited = z.strictObject({ value: z.unknown(), from: z.string() });
export type InheritedPolicy = z.output<typeof inherited>;

/** Policies that are not a scope's own, by name. */
export const inheritedPolicy = z
  .record(z.string(), inherited)
  .describe(
    'Policies that the scope does not state itself, by name: `{value, from}`, where `from` is the scope that states it, or `default`. Entries of retention and cardinality are told one by one, as `retention.events`. What a scope above states that the caller may not read is left out.',
  );

/** The policies in force. */
export const resolvedPolicy = z
  .strictObject({
    consolidation: z.enum(['eager', 'periodic', 'manual']).describe('When derived records are revised.'),
    conflict_resolution: z
      .enum(['latest_wins', 'highest_confidence', 'keep_both'])
      .describe('Which of two contradicting statements holds.'),
    audit: z
      .enum(['on', 'off'])
      .describe('Whether reads and writes of the scope leave rows in the audit log.'),
    retention: z
      .record(z.string(), z.string().nullable())
      .describe(
        'ISO-8601 durations by layer or source, null for what is kept; of several along the path, up to the topmost scope with a roster, the shortest.',
      ),
    default_view: z.enum(VIEWS).optional().describe('View of readings that name none; absent: by operation.'),
    cardinality: z.record(z.string(), z.string()).describe('Cardinalities by predicate.'),
  })
  .describe(
    'What holds in the scope: its own policies, else those inherited, else the defaults. Of a scope above that the caller may not read, entries of cardinality and of source systems are left out.',
  );
export type ResolvedPolicy = z.output<typeof resolvedPolicy>;
