import { executableSchema } from '../../resolvers/schema.ts';
import type { Answer } from '../support/client.ts';
import { expectedOf } from './gate/expected.ts';
import { GRAPHQL_ROWS, type Row } from './gate/graphql-rows.ts';
import { sentBetween, statementCounts } from './gate/statements.ts';
import {
  alike,
  CALLERS,
  CLOSED,
  createWorld,
  GONE,
  type Caller,
  type Things,
  type World,
} from './gate/world.ts';

// The table of REST once more through GraphQL: the same decision for every root field and every kind of caller.

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world.service.stop();
});

function knock(caller: Caller, name: string, row: Row, there: boolean, things?: Things): Promise<Answer> {
  const [kind] = name.split(' ');
  const selection = row.select(things ?? (there ? world.there : world.gone), there ? CLOSED : GONE, caller);
  return world.send(caller, 'POST', '/graphql', { query: `${kind ?? ''} { ${selection} }` });
}

async function fresh(row: Row): Promise<Things> {
  return row.guard === 'change' ? { ...world.there, event: await world.freshEvent() } : world.there;
}

/** Data and errors without what differs from request to request. */
function essence({ status, json }: Answer): unknown {
  const errors = (json.errors ?? []).map(
    ({ message, path, extensions: { request_id: _id, requestId: _camel, ...more } }: any) => ({
      message,
      path,
      ...more,
    }),
  );
  return { status, data: json.data, errors };
}

async function expectHidden(caller: Caller, name: string, row: Row): Promise<void> {
  const things = await fresh(row);
  await knock(caller, name, row, true, things);
  await knock(caller, name, row, false);
  const before = await statementCounts(world.service);
  const hidden = await knock(caller, name, row, true, things);
  const between = await statementCounts(world.service);
  const missing = await knock(caller, name, row, false);
  const after = await statementCounts(world.service);
  expect(hidden.text).not.toContain('GRAPHQL_VALIDATION_FAILED');
  expect(alike(essence(hidden), things, world.gone)).toEqual(essence(missing));
  expect(sentBetween(before, between)).toBe(sentBetween(between, after));
}

async function expectAnswer(caller: Caller, name: string, row: Row): Promise<void> {
  const expected = expectedOf(caller, row);
  if (expected.kind === 'open' && expectedOf(caller, { guard: 'caller' }).kind === 'let in') return;
  if (expected.kind === 'hidden') {
    await expectHidden(caller, name, row);
    return;
  }
  const answer = await knock(caller, name, row, true, await fresh(row));
  const [error] = answer.json.errors ?? [];
  if (expected.kind === 'refused' && expected.status === 401) expect(answer.status).toBe(401);
  if (expected.kind === 'refused') expect(error?.extensions.code).toBe(expected.code);
  else if (expected.kind === 'let in') expect(error?.extensions.code).toBe(row.accepted);
}

it('the table has every root field but those of subscriptions', () => {
  const schema = executableSchema();
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  const found = Object.entries(roots).flatMap(([kind, root]) =>
    Object.keys(root?.getFields() ?? {}).map((field) => `${kind} ${field}`),
  );
  expect(Object.keys(GRAPHQL_ROWS).sort()).toEqual(found.sort());
});

describe.each(Object.entries(GRAPHQL_ROWS))('%s', (name, row) => {
  it.each(CALLERS)('answers %s as it has to', (caller) => expectAnswer(caller, name, row));
});
