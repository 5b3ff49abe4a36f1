import type { AnswerCitation, AnswerResponse } from '../schemas/answer.ts';
import type { GraphqlContext } from './context.ts';
import { rootField, type Resolver, type ResolverMap } from './field.ts';
import { noted } from './recall.ts';
import { recordAt } from './record.ts';

/** What a text cites leads to its record, as of the instant that the pack was recalled for. */
const record: Resolver<AnswerCitation> = (citation, _args, context) =>
  recordAt(context, citation.id, context.readings.queryOf(citation, {}));

/** A text whose citations lead to their records. */
function cited<Text extends Pick<AnswerResponse, 'as_of' | 'citations'>>(
  text: Text,
  readings: GraphqlContext['readings'],
): Text {
  const { recorded } = text.as_of;
  readings.note(text.citations, recorded === null ? {} : { as_of_recorded: recorded });
  return text;
}

/** Fields of texts that models write from memory. */
export const ANSWER_RESOLVERS: ResolverMap = {
  Query: {
    answer: rootField(async ({ input }, { services, call, budget, readings }) => {
      budget.takePage();
      const answer: AnswerResponse = cited(await services.answer.answer(call, input), readings);
      return answer.pack === undefined ? answer : { ...answer, pack: noted(answer.pack, readings) };
    }),
    compose: rootField(async ({ input }, { services, call, budget, readings }) => {
      budget.takePage();
      return cited(await services.compose.compose(call, input), readings);
    }),
  },
  AnswerCitation: { record },
};
