import type { Routes } from './handler.ts';
import type { ExperienceOperations } from '../src/services/operations.ts';

/** Routes of capture. */
export function experienceRoutes(
  experience: ExperienceOperations,
): Pick<Routes, 'captureExperience' | 'captureExperienceBulk' | 'experienceStatus'> {
  return {
    captureExperience: async ({ call, body, query }) => ({
      status: 202,
      body: await experience.capture(call, body, query),
    }),
    captureExperienceBulk: async ({ call, body, query }) => {
      const answer = await experience.captureBulk(call, body, query);
      return { status: answer.partial === true ? 207 : 202, body: answer };
    },
    experienceStatus: async ({ call, query }) => ({
      status: 200,
      body: await experience.status(call, query),
    }),
  };
}
