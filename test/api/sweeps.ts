import type { Driver } from 'neo4j-driver';

import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import type { TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

export const SWEEP = '/v1/admin/retention/sweep';

/** What tests of retention do with a service and its database. */
export function sweeping(at: () => { readonly service: TestService; readonly driver: Driver }) {
  /** Captures events of a scope that were recorded so many days ago, in this order; answers their ids. */
  async function recorded(
    scope: string,
    ages: readonly number[],
    labels: readonly string[] = [],
  ): Promise<string[]> {
    const items = ages.map((_age, i) => ({
      ...statement(scope, [`person ${String(i)}`, 'likes', `=tea ${String(i)}`]),
      context: { labels },
    }));
    const { json } = await at().service.post('/v1/experience/bulk?wait=consolidated', { items });
    const ids = json.results.map(({ event_id }: any) => event_id as string);
    for (const [i, age] of ages.entries())
      await query(
        at().driver,
        `MATCH (e:Event {id: $id}) SET e.recorded_at = e.recorded_at - duration({days: $age})`,
        {
          id: ids[i],
          age: BigInt(age),
        },
      );
    return ids;
  }

  async function rule(
    scope: string,
    days: number | null,
    sources: Record<string, number> = {},
  ): Promise<any> {
    const body = { scope, default_retention_days: days, per_source_days: sources };
    const { status, json } = await at().service.request('PUT', '/v1/admin/retention/policies', { body });
    expect(status).toBe(200);
    return json;
  }

  async function swept(body: Record<string, unknown> = {}, by: TestService = at().service): Promise<any> {
    const { status, json, text } = await by.post(SWEEP, { dry_run: false, ...body });
    if (status === 202) return ended(by);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json;
  }

  /** What a sweep came to that takes longer than its request waits. */
  async function ended(by: TestService): Promise<any> {
    return eventually('a sweep to end', async () => {
      const { running, last } = (await by.get('/v1/admin/retention')).json;
      return running === false && last;
    });
  }

  /** Which of some events can still be read. */
  async function left(ids: readonly string[]): Promise<boolean[]> {
    const answers = await Promise.all(ids.map((id) => at().service.get(`/v1/events/${id}`)));
    return answers.map(({ status }) => status === 200);
  }

  return { recorded, rule, swept, left };
}
