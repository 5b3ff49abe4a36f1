import type { PendingEvent } from '../../graph/pending-event.ts';
import type { Intake, Stage } from '../../graph/shard.ts';
import type { StageEffect } from '../../graph/stage-effect.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import { turnPassageOf } from './turn-passage.ts';

/** What a stage does to one event, given its envelope (JSON text) where it asked for it: pure, so that a repeat does the same. */
export type StageWork = (event: PendingEvent, envelope: string) => StageEffect;

/** Stages that look at the envelope. */
export const READS_ENVELOPE: ReadonlySet<Stage> = new Set<Stage>(['indexed', 'consolidated']);

/** No extractor is configured: an event is passed over, except a triple, which needs none. */
const extract: StageWork = (event) => ({
  event,
  frame: event.content_kind === 'triple' ? JSON.stringify({ derived: {}, beliefs_to_revise: 0 }) : null,
  passage: null,
});

const index: StageWork = (event, envelope) => {
  return {
    event,
    frame: JSON.stringify({ layers_indexed: ['events'] }),
    passage: turnPassageOf(event, JSON.parse(envelope) as Envelope),
  };
};

/** The work of the stages whose effect is one statement. */
export const STAGE_WORK: Readonly<Record<Intake, StageWork>> = {
  extracted: extract,
  indexed: index,
  both: (event, envelope) => ({ ...index(event, envelope), extracted: extract(event, envelope).frame }),
};
