import { readFileSync } from 'node:fs';

import { z } from 'zod';

// The shape of LoCoMo (github.com/snap-research/locomo), of which only what is used is looked at. The file is not ours to keep.

const turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string().default(''),
  blip_caption: z.string().optional(),
});
const question = z.object({
  question: z.string(),
  category: z.int(),
  evidence: z.array(z.string()).default([]),
});
const conversation = z.object({
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(question),
});

/** A turn of a conversation. */
export interface Turn {
  readonly id: string;
  readonly session: number;
  readonly speaker: string;
  readonly text: string;
  /** RFC 3339: a minute after the one before, from when the session began on. */
  readonly observed_at: string;
}

/** A question, with the turns that answer it. */
export interface Question {
  readonly text: string;
  readonly category: number;
  readonly evidence: readonly string[];
}

/** A conversation with its questions. */
export interface Conversation {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** What the categories of questions are called. */
export const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

/** Reads a file of conversations. Throws where it is none. */
export function readConversations(file: string): Conversation[] {
  return z
    .array(conversation)
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .map(({ conversation: said, qa }) => {
      const turns = turnsOf(said);
      const known = new Set(turns.map(({ id }) => id));
      return {
        turns,
        questions: qa.flatMap(({ question: text, category, evidence }) => {
          const ids = evidence
            .flatMap((place) => place.match(/D\d+:\d+/g) ?? [])
            .filter((id) => known.has(id));
          return ids.length === 0 ? [] : [{ text, category, evidence: [...new Set(ids)] }];
        }),
      };
    });
}

const MINUTE_MS = 60_000;

function turnsOf(said: Readonly<Record<string, unknown>>): Turn[] {
  const numbers = Object.keys(said).flatMap((name) => /^session_(\d+)$/.exec(name)?.[1] ?? []);
  return numbers
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((session) => {
      const began = beganAt(z.string().parse(said[`session_${session}_date_time`]));
      return z
        .array(turn)
        .parse(said[`session_${session}`])
        .map(({ speaker, dia_id: id, text, blip_caption: caption }, i): Turn => ({
          id,
          session,
          speaker,
          text: caption === undefined ? text : `${text} ${caption}`,
          observed_at: new Date(began + i * MINUTE_MS).toISOString(),
        }));
    });
}

/** `1:56 pm on 8 May, 2023` as epoch milliseconds. */
function beganAt(text: string): number {
  const [clock = '', date = ''] = text.split(' on ');
  const at = Date.parse(`${date.replace(',', '')} ${clock} UTC`);
  if (Number.isNaN(at)) throw new Error(`${text} is no time of a session`);
  return at;
}
