import { z } from 'zod';

/** Names that mean the same; the first is the usual one. */
const names = z.array(z.string().min(1)).min(1);

const expected = z.strictObject({
  /** Number of the item that says it, from 1. */
  item: z.int().min(1),
  subject: names,
  predicate: names,
  object: names,
  holds: z.enum(['yes', 'ended', 'never']).default('yes'),
  /** Day from which on it has to hold (or to have ended); left out: not looked at. */
  valid_from: z.iso.date().optional(),
});

const transcript = z.strictObject({
  name: z.string().min(1),
  /** What it is to show. */
  about: z.string().min(1),
  items: z
    .array(
      z.strictObject({
        speaker: z.string(),
        role: z.enum(['user', 'assistant', 'tool', 'system']).nullable().default(null),
        observed_at: z.iso.datetime(),
        text: z.string().min(1),
      }),
    )
    .min(1)
    .max(8),
  expected: z.array(expected),
  /** Texts that no statement may name, as subject or object: what is asked, wished, ordered or made up. */
  forbidden: z.array(z.string()).default([]),
});

/** A short talk with what is to be extracted from it. */
export type Transcript = z.infer<typeof transcript>;
/** A statement that has to be found. */
export type Expected = z.infer<typeof expected>;

/** Reads the evaluation set. Throws where it is not well-formed. */
export function transcriptsIn(json: string): Transcript[] {
  return z.array(transcript).parse(JSON.parse(json));
}
