import type { Driver } from 'neo4j-driver';

import { OPEN_END } from '../../schemas/time.ts';
import { linkEntities, stateAll, unlinkEntities } from '../api/entity-link.ts';
import { cancelled } from '../support/cancel.ts';
import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What whoever opens the database reads of entities that are one: plain Cypher, and nothing of ours.

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});

afterAll(async () => {
  await driver.close();
});

/** From where to where an edge leads, and for which recorded time. */
type Edge = readonly [entity: string, same_as: string, from: number, to: number];

/** The edges of a scope, in the order of the log. */
async function edges(scope: string): Promise<Edge[]> {
  const rows = await query<{ edge: Edge }>(
    driver,
    `MATCH (a:Entity {scope: $scope, tenant: $tenant})-[s:SAME_AS]->(b:Entity)
     RETURN [a.id, b.id, s.recorded_from, s.recorded_to] AS edge ORDER BY s.recorded_from, a.id`,
    { scope, tenant: service.tenant },
  );
  return rows.map(({ edge }) => edge);
}

/** The edge of a link as it was answered. */
function edgeOf({ entity, same_as, recorded_at, unlinked_at }: any): Edge {
  return [
    entity,
    same_as,
    Date.parse(recorded_at),
    unlinked_at === null ? OPEN_END : Date.parse(unlinked_at),
  ];
}

describe('an entity in the graph', () => {
  it('leads to the one that it was linked with, for as long as the link stood', async () => {
    const scope = 'user:same';
    await stateAll(
      service,
      statement(scope, ['ent_bob', 'likes', 'ent_tea']),
      statement(scope, ['ent_robert', 'likes', 'ent_chess']),
    );
    const first = await linkEntities(service, scope, 'ent_bob', 'ent_robert');
    expect(await edges(scope)).toEqual([edgeOf(first)]);
    const ended = await unlinkEntities(service, first.link_id);
    expect(ended.unlinked_at).not.toBeNull();
    expect(await edges(scope)).toEqual([edgeOf(ended)]);
    const second = await linkEntities(service, scope, 'ent_bob', 'ent_robert');
    expect(await edges(scope)).toEqual([edgeOf(ended), edgeOf(second)]);
  });

  it('is led to once something is known of both, however late', async () => {
    const scope = 'user:same-late';
    await stateAll(service, statement(scope, ['ent_x', 'likes', 'ent_y']));
    const first = await linkEntities(service, scope, 'ent_a', 'ent_b');
    const second = await linkEntities(service, scope, 'ent_b', 'ent_c');
    expect(await edges(scope)).toEqual([]);
    await stateAll(service, statement(scope, ['ent_b', 'likes', 'ent_tea']));
    expect(await edges(scope)).toEqual([edgeOf(second)]);
    await stateAll(service, statement(scope, ['ent_x', 'knows', 'ent_a']));
    expect(await edges(scope)).toEqual([edgeOf(first), edgeOf(second)]);
  });

  it('takes its edges along when nothing is known of it any more, and has them again when something is', async () => {
    const scope = 'user:same-again';
    const said = statement(scope, ['ent_a', 'likes', 'ent_tea']);
    const [event] = await stateAll(service, said);
    const linked = await linkEntities(service, scope, 'ent_a', 'ent_b');
    expect(await edges(scope)).toEqual([edgeOf(linked)]);
    await cancelled(service, event, scope);
    expect(await edges(scope)).toEqual([]);
    await stateAll(service, said);
    expect(await edges(scope)).toEqual([edgeOf(linked)]);
  });

  it('is gone with its edges when its scope is', async () => {
    const scope = 'user:same-gone';
    expect((await service.post('/v1/scopes', { path: scope })).status).toBe(201);
    await stateAll(service, statement(scope, ['ent_a', 'likes', 'ent_tea']));
    const { link_id } = await linkEntities(service, scope, 'ent_a', 'ent_b');
    const where = `/v1/scopes?path=${encodeURIComponent(scope)}&records=forget`;
    expect((await service.request('DELETE', where)).status).toBe(204);
    const left = await query(driver, 'MATCH ()-[s:SAME_AS {link_id: $link_id}]->() RETURN s', { link_id });
    expect(left).toEqual([]);
  });
});
