import { ask } from '../api/ask.ts';
import { chapterInput } from './envelope.ts';
import { CAPTURE_CHAPTER } from './queries.ts';
import { CHAPTERS } from './story.ts';

/**
 * Captures the story, chapter by chapter, each when the one before is consolidated; `tell` is told how many are done. What is there
 * already is not written again. Throws what the service refuses.
 */
export async function loadExample(tell: (done: number) => void, signal: AbortSignal): Promise<void> {
  const events = new Map<string, string>();
  for (const [done, chapter] of CHAPTERS.entries()) {
    tell(done);
    const { captureMany } = await ask(CAPTURE_CHAPTER, { input: chapterInput(chapter, events) }, signal);
    const [failure] = captureMany?.failures ?? [];
    if (failure !== undefined) throw new Error(`${failure.error} (${failure.errorCode})`);
    for (const { index, eventId } of captureMany?.results ?? []) {
      const moment = chapter.moments[index];
      if (moment !== undefined && eventId !== null) events.set(moment.name, eventId);
    }
  }
  tell(CHAPTERS.length);
}
