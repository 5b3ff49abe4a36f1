import { EXAMPLE_SCOPE, type Chapter, type Moment } from './story.ts';

/** A chapter as it is captured. `facts` are the ids of what it concludes from, by the names of the moments that stated it. */
export function chapterInput(chapter: Chapter, facts: ReadonlyMap<string, string>): object {
  return {
    scope: EXAMPLE_SCOPE,
    ordering: 'strict_temporal',
    items: chapter.moments.map((moment) => momentInput(moment, facts)),
  };
}

function momentInput({ name, at, by, says }: Moment, facts: ReadonlyMap<string, string>): object {
  const shared = {
    observedActor: { id: by, session: 'example' },
    subject: { id: 'user:maren' },
    context: { observedAt: at, labels: ['example'] },
    idempotencyKey: `example-${name}`,
  };
  if (typeof says === 'string')
    return { ...shared, modality: 'conversation', content: { message: { role: 'user', text: says } } };
  const { concludedFrom, ...statement } = says;
  const premises = (concludedFrom ?? []).flatMap((premise) => facts.get(premise) ?? []);
  const triple = premises.length === 0 ? statement : { ...statement, derivedFrom: premises };
  return { ...shared, modality: 'observation', content: { triple } };
}
