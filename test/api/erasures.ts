import { statement } from '../support/facts.ts';
import type { TestService } from '../support/service.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

type Triple = readonly [string, string, string];

/** What erasing is tried with, on a service that may be another one later. */
export interface Erasing {
  /** Captures a statement and waits until it is derived. */
  readonly stated: (scope: string, triple: Triple, more?: Record<string, unknown>) => Promise<any>;
  /** Erases, and answers the record once it is over. */
  readonly erased: (scope: string, body: Record<string, unknown>) => Promise<any>;
  /** The record of an erasure once it is over. */
  readonly over: (id: string) => Promise<any>;
}

/** The same on the service that there is when it is asked. */
export function erasingOn(service: () => TestService): Erasing {
  const over = async (id: string): Promise<any> => {
    const isOver = async (): Promise<boolean> =>
      (await service().get(`/v1/erasures/${id}`)).json.completed_at !== null;
    await eventually('an erasure', isOver, DERIVING_PATIENCE_MS);
    return (await service().get(`/v1/erasures/${id}`)).json;
  };
  return {
    over,
    stated: async (scope, triple, more = {}) => {
      const answer = await service().post('/v1/experience?wait=consolidated', statement(scope, triple, more));
      expect(answer.status).toBe(202);
      return answer.json;
    },
    erased: async (scope, body) => {
      const started = await service().post('/v1/erasures', { scope, ...body });
      expect([started.status, started.text]).toEqual([202, expect.any(String)]);
      return over(started.json.erasure_id);
    },
  };
}
