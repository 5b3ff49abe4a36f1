import type { Document } from '../api/document.ts';
import { chapterInput } from './envelope.ts';
import { CAPTURE_CHAPTER, FACTS_OF } from './queries.ts';
import { CHAPTERS, type Chapter } from './story.ts';

/** Has a document answered. */
export type Ask = <Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

/**
 * Captures the story, chapter by chapter, each when the one before is consolidated; `report` is told how many are done. What is there
 * already is not written again. Throws what the service refuses.
 */
export async function tellStory(ask: Ask, report: (done: number) => void): Promise<void> {
  const events = new Map<string, string>();
  for (const [done, chapter] of CHAPTERS.entries()) {
    report(done);
    const facts = await premisesOf(chapter, { events, ask });
    const { captureMany } = await ask(CAPTURE_CHAPTER, { input: chapterInput(chapter, facts) });
    const [failure] = captureMany?.failures ?? [];
    if (failure !== undefined) throw new Error(`${failure.error} (${failure.errorCode})`);
    for (const { index, eventId } of captureMany?.results ?? []) {
      const moment = chapter.moments[index];
      if (moment !== undefined && eventId !== null) events.set(moment.name, eventId);
    }
  }
  report(CHAPTERS.length);
}

/** The facts that a chapter concludes from, by the names of the moments that stated them. */
async function premisesOf(
  { moments }: Chapter,
  { events, ask }: { readonly events: ReadonlyMap<string, string>; readonly ask: Ask },
): Promise<ReadonlyMap<string, string>> {
  const names = moments.flatMap(({ says }) => (typeof says === 'string' ? [] : (says.concludedFrom ?? [])));
  const facts = new Map<string, string>();
  for (const name of names) {
    const id = events.get(name);
    if (id === undefined) throw new Error(`the story concludes from ${name}, which was not told before`);
    const { event } = await ask(FACTS_OF, { event: id });
    const fact = event?.derives.find(({ __typename }) => __typename === 'Fact');
    if (fact !== undefined) facts.set(name, fact.id);
  }
  return facts;
}
