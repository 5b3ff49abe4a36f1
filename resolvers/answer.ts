import type { AnswerResponse } from '../schemas/answer.ts';
import { rootField, type ResolverMap } from './field.ts';
import { noted } from './recall.ts';

/** Fields of texts that models write from memory. */
export const ANSWER_RESOLVERS: ResolverMap = {
  Query: {
    answer: rootField(async ({ input }, { services, call, budget, readings }) => {
      budget.takePage();
      const answer: AnswerResponse = await services.answer.answer(call, input);
      return answer.pack === undefined ? answer : { ...answer, pack: noted(answer.pack, readings) };
    }),
    compose: rootField(async ({ input }, { services, call, budget }) => {
      budget.takePage();
      return services.compose.compose(call, input);
    }),
  },
};
