import { EXAMPLE_SCOPE, type Chapter, type Moment } from './story.ts';

/** A chapter as it is captured. `events` are the ids of the moments before, by their names. */
export function chapterInput(chapter: Chapter, events: ReadonlyMap<string, string>): object {
  return {
    scope: EXAMPLE_SCOPE,
    ordering: 'strict_temporal',
    items: chapter.moments.map((moment) => momentInput(moment, events)),
  };
}

function momentInput({ name, at, by, says }: Moment, events: ReadonlyMap<string, string>): object {
  const shared = {
    observedActor: { id: by, session: 'example' },
    subject: { id: 'user:maren' },
    context: { observedAt: at, labels: ['example'] },
    idempotencyKey: `example-${name}`,
  };
  if (typeof says === 'string')
    return { ...shared, modality: 'conversation', content: { message: { role: 'user', text: says } } };
  const { concludedFrom, ...statement } = says;
  const premises = concludedFrom?.map((premise) => eventOf(premise, events));
  const triple = premises === undefined ? statement : { ...statement, derivedFrom: premises };
  return { ...shared, modality: 'observation', content: { triple } };
}

function eventOf(name: string, events: ReadonlyMap<string, string>): string {
  const id = events.get(name);
  if (id === undefined) throw new Error(`the story concludes from ${name}, which was not told before`);
  return id;
}
