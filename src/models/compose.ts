import { evidenceRules, answerInstruction } from './answer.ts';
import type { TextQuestion } from './text-chat.ts';

/** What is to be written, and from what. */
export interface ComposeTask {
  readonly brief: string;
  /** The instant at which it is written, RFC 3339. */
  readonly writtenAt: string;
  /** Headings of the sections; empty leaves them to the model. */
  readonly outline: readonly string[];
  /** About how long it is to be. */
  readonly tokens: number;
  readonly instructions: string | undefined;
  /** The records, a line each, with their markers. */
  readonly memory: readonly string[];
  readonly maxOutputTokens: number | null;
}

/** The question to a model that writes a document from memory. */
export function composeQuestion(task: ComposeTask): TextQuestion {
  const { brief, writtenAt, outline, tokens, instructions, memory, maxOutputTokens } = task;
  const sections =
    outline.length === 0
      ? 'Divide it into sections with headings of your own (## Heading) where it is long enough.'
      : 'It has exactly the sections of "outline", in that order, each begun by its heading as a line of its own (## Heading), and nothing outside of them.';
  return {
    system: `You write a document from the memory of an agent, as the brief asks.

${evidenceRules('[S1]')}
- Write markdown in the language of the brief, about ${tokens} tokens, less where the records hold less.
- ${sections} A section for which there is no evidence says that nothing is known of it, and cites nothing; the others are written all the same.${answerInstruction(instructions)}`,
    user: JSON.stringify({
      memory,
      brief,
      written_at: writtenAt,
      ...(outline.length === 0 ? {} : { outline }),
    }),
    maxOutputTokens,
  };
}
