import { executableSchema } from '../../resolvers/schema.ts';
import type { Answer } from '../support/client.ts';
import { LONG } from '../support/depth.ts';
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

// The table of REST once more through GraphQL: the same decision for every root field. Who may do what is decided behind both, so that
// every day a few callers show that each field asks: one without credentials, one to whom everything is hidden, one who lacks the
// capability, one whose token leads elsewhere, and one who is let in. The whole table is gone through in depth.
const EVERYDAY: readonly Caller[] = ['nobody', 'stranger', 'owner', 'incapable', 'confined'];
const KNOCKING = CALLERS.filter((caller) => LONG || EVERYDAY.includes(caller));

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

/** Whether what is there and what is not were answered by as many statements, and the answers. */
async function compared(
  caller: Caller,
  name: string,
  row: Row,
): Promise<{ even: boolean; hidden: Answer; missing: Answer }> {
  const before = statementCounts(world.service);
  const hidden = await knock(caller, name, row, true);
  const between = statementCounts(world.service);
  const missing = await knock(caller, name, row, false);
  const after = statementCounts(world.service);
  return { even: sentBetween(before, between) === sentBetween(between, after), hidden, missing };
}

async function expectHidden(caller: Caller, name: string, row: Row): Promise<void> {
  let found = await compared(caller, name, row);
  // Once more, so that what a process remembers of either is the same.
  if (!found.even) found = await compared(caller, name, row);
  expect(found.hidden.text).not.toContain('GRAPHQL_VALIDATION_FAILED');
  expect(alike(essence(found.hidden), world.there, world.gone)).toEqual(essence(found.missing));
  expect(found.even).toBe(true);
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
  it.each(KNOCKING)('answers %s as it has to', (caller) => expectAnswer(caller, name, row));
});
