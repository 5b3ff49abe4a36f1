import { OPEN_END, toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { isVisible } from '../../src/time/bitemporal-range.ts';
import { inDepth } from '../support/depth.ts';
import { statement } from '../support/facts.ts';
import { asOfText } from '../support/graphql/as-of.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode } from './problem.ts';

// Events at instants around those that they have, and at pairs of these (in `npm run test:long` at every pair): the list, the reading
// by id and the trace answer what the pure rule says, over REST and GraphQL.

const SCOPE = 'org:then/user:a';

let service: SharedService;
let events: any[];

beforeAll(async () => {
  service = sharedService();
  for (const [object, observed_at] of [
    ['ent_x', '2020-03-01T00:00:00Z'],
    ['ent_y', '2019-01-01T00:00:00Z'],
    ['ent_z', '2021-01-01T00:00:00Z'],
  ] as const) {
    const said = statement(SCOPE, ['ent_a', 'likes', object], { observed_at });
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  }
  events = (await service.get(`/v1/events?scope=${SCOPE}`)).json.items;
  expect(events).toHaveLength(3);
});

const observed = ({ context }: any): number => toEpochMs(context.observed_at as string);
const recorded = ({ context }: any): number => toEpochMs(context.recorded_at as string);
const around = (instants: number[]): number[] => [...new Set(instants.flatMap((at) => [at - 1, at, at + 1]))];

/** The ids of the events that the rule shows, newest first. */
function shown(at: { valid?: number; recorded?: number }): string[] {
  return events
    .filter((event) =>
      isVisible(
        {
          valid: { from: observed(event), to: OPEN_END },
          recorded: { from: recorded(event), to: OPEN_END },
        },
        { valid: at.valid ?? OPEN_END - 1, recorded: at.recorded ?? OPEN_END - 1 },
      ),
    )
    .map(({ id }) => id as string);
}

type Query = Readonly<Record<string, string>>;

async function listed(query: Query): Promise<unknown[]> {
  const text = new URLSearchParams({ scope: SCOPE, limit: '2', ...query }).toString();
  const found: string[] = [];
  for (let cursor = ''; ;) {
    const { status, json, text: told } = await service.get(`/v1/events?${text}${cursor}`);
    if (status !== 200) throw new Error(told);
    found.push(...json.items.map(({ id }: any) => id as string));
    if (json.has_more !== true) break;
    cursor = `&cursor=${json.next_cursor as string}`;
  }
  const document = `{ events(scope: "${SCOPE}", ${asOfText(query)}) { nodes { id } } }`;
  const { data, errors } = await ask(service, document);
  expect(errors).toBeUndefined();
  expect(data.events.nodes.map(({ id }: any) => id)).toEqual(found);
  return found;
}

async function read(id: string, query: Query): Promise<number[]> {
  const text = new URLSearchParams(query).toString();
  const answers = await Promise.all([
    service.get(`/v1/events/${id}?${text}`),
    service.get(`/v1/lifecycle/memory-event/${id}?${text}`),
  ]);
  return answers.map(({ status }) => status);
}

describe('events at other instants', () => {
  it('are those that the rule shows, by every route', async () => {
    const valids = around(events.map(observed));
    const recordeds = around(events.map(recorded));
    const pairs = valids.flatMap((valid) => recordeds.map((at) => [valid, at] as const));
    const cases: [Query, string[]][] = [
      ...valids.map((valid): [Query, string[]] => [{ as_of_valid: toRfc3339(valid) }, shown({ valid })]),
      ...recordeds.map((at): [Query, string[]] => [
        { as_of_recorded: toRfc3339(at) },
        shown({ recorded: at }),
      ]),
      ...[...valids, ...recordeds].map((at): [Query, string[]] => [
        { as_of: toRfc3339(at) },
        shown({ valid: at, recorded: at }),
      ]),
      ...pairs
        .filter((_, i) => i % inDepth(7, 1) === 0)
        .map(([valid, at]): [Query, string[]] => [
          { as_of_valid: toRfc3339(valid), as_of_recorded: toRfc3339(at) },
          shown({ valid, recorded: at }),
        ]),
    ];
    for (const [query, expected] of cases) {
      expect([query, await listed(query)]).toEqual([query, expected]);
      const ids = events.map(({ id }) => id as string);
      const statuses = await Promise.all(ids.map((id) => read(id, query)));
      const wanted = ids.map((id) => (expected.includes(id) ? [200, 200] : [404, 404]));
      expect([query, statuses]).toEqual([query, wanted]);
    }
  });

  it('derive what was derived by then', async () => {
    const [newest, , oldest] = events;
    const then = `as_of_recorded=${oldest.context.recorded_at as string}`;
    const { derives } = (await service.get(`/v1/events/${oldest.id}?${then}`)).json;
    expect(derives).toEqual([
      expect.stringMatching(/^belief_/),
      expect.stringMatching(/^ep_/),
      expect.stringMatching(/^fact_/),
    ]);
    expect((await service.get(`/v1/lifecycle/memory-event/${oldest.id}?${then}`)).json.derived).toEqual({
      beliefs: [derives[0]],
      episodes: [derives[1]],
      facts: [derives[2]],
      entities: ['ent_a', 'ent_x'],
    });
    const { data } = await ask(
      service,
      `{ event(id: "${newest.id}") { derives { __typename id ... on Fact { object { ... on EntityTerm { id } } } } } }`,
    );
    expect(data.event.derives.map(({ __typename }: any) => __typename)).toEqual([
      'Belief',
      'Episode',
      'Fact',
    ]);
    expect(data.event.derives.map(({ id }: any) => id)).toEqual(newest.derives);
    expect(data.event.derives[2].object.id).toBe('ent_z');
  });

  it('refuse instants that contradict each other', async () => {
    const both = 'as_of=2020-01-01T00:00:00Z&as_of_valid=2020-01-01T00:00:00Z';
    expectCode(await service.get(`/v1/events?scope=${SCOPE}&${both}`), 'INVALID_QUERY');
    expectCode(await service.get(`/v1/events/${events[0].id}?${both}`), 'INVALID_QUERY');
    expectCode(await service.get(`/v1/lifecycle/memory-event/${events[0].id}?${both}`), 'INVALID_QUERY');
  });
});
