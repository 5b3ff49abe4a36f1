import { declare } from '../support/declared.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { linkEntities, recordedAt as recordedAtOf, stateAll, unlinkEntities } from './entity-link.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (...envelopes: Record<string, unknown>[]): Promise<string[]> => stateAll(service, ...envelopes);
const link = (scope: string, entity: string, same_as: string): Promise<any> =>
  linkEntities(service, scope, entity, same_as);
const unlink = (id: string): Promise<any> => unlinkEntities(service, id);
const recordedAt = (event: string | undefined): Promise<string> => recordedAtOf(service, event);

/** The facts of a scope about where somebody lives, with those that were superseded. */
async function told(scope: string, query = ''): Promise<string[]> {
  const path = `/v1/facts?scope=${scope}&predicate=lives_in&include_superseded=1${query}`;
  return (await service.get(path)).json.items
    .map(
      ({ subject, object, extractor, valid_from, valid_to }: any) =>
        `${subject.id} ${object.value} ${extractor} ${valid_from.slice(0, 4)}-${valid_to?.slice(0, 4) ?? ''}`,
    )
    .sort();
}

async function believed(scope: string): Promise<Record<string, [string, string[]]>> {
  const { json } = await service.get(`/v1/beliefs?scope=${scope}`);
  return Object.fromEntries(
    json.items.map(({ claim, stance, supports }: any) => [
      `${claim.subject.id} ${claim.object.value}`,
      [stance, supports.map(({ type }: any) => type).sort()],
    ]),
  );
}

const conflicts = async (scope: string): Promise<string[]> =>
  (await service.get(`/v1/conflicts?scope=${scope}`)).json.conflicts.flatMap(({ records }: any) =>
    records.map(({ object }: any) => object).sort(),
  );

/** States that one lives in Paris and declares two places where another does. */
async function stateApart(scope: string): Promise<void> {
  await state(statement(scope, ['ent_a', 'lives in', '=Paris'], { valid_from: '2020-01-01' }));
  const [paris] = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
  const about = { subject: 'ent_b', predicate: 'lives in', confidence: 0.9 };
  await declare(service, scope, {
    ...about,
    statement: 'London',
    valid_from: '2022-01-01',
    supports: [paris.id],
  });
  await declare(service, scope, { ...about, statement: 'Rome', valid_from: '2020-01-01' });
}

describe('a declared belief', () => {
  const scope = 'org:links/user:declared';

  it('is about what its subject goes by', async () => {
    const declared = await service.post('/v1/beliefs', {
      scope,
      subject: 'ent_a',
      statement: 'is kind',
      confidence: 0.9,
    });
    expect(declared.status).toBe(201);
    await link(scope, 'ent_a', 'ent_b');
    const { json } = await service.get(`/v1/beliefs?scope=${scope}&about=ent_a&stance=supported`);
    expect(json.items.map(({ claim }: any) => claim.subject.id)).toEqual(['ent_b']);
  });

  it('and what is stated are one claim while their entities are one, and two before and after', async () => {
    const own = 'org:links/user:declared-claim';
    await stateApart(own);
    const apart = [
      'ent_a Paris triple 2020-',
      'ent_b London declared 2022-',
      'ent_b Rome declared 2020-2022',
    ];
    const together = [
      'ent_a London declared 2022-',
      'ent_a Paris triple 2020-2020',
      'ent_a Rome declared 2020-2022',
    ];
    // The reason that is named is a value of another claim; of the same claim it would be none.
    const stances = {
      'ent_a Paris': ['supported', ['fact']],
      'ent_b London': ['supported', ['event', 'fact']],
    };
    expect([await told(own), await conflicts(own)]).toEqual([apart, []]);
    expect(await believed(own)).toMatchObject(stances);
    const [first] = await state(statement(own, ['ent_x', 'likes', 'ent_y']));
    const { link_id } = await link(own, 'ent_b', 'ent_a');
    const rebuild = async (): Promise<void> => {
      expect((await service.post('/v1/beliefs/build', { scope: own })).status).toBe(200);
    };
    const asItIs = (): Promise<void> => Promise.resolve();
    for (const again of [asItIs, rebuild]) {
      await again();
      expect([await told(own), await conflicts(own)]).toEqual([together, ['Paris', 'Rome']]);
      expect(await believed(own)).toMatchObject({ 'ent_a London': ['supported', ['event']] });
      expect(await told(own, `&as_of_recorded=${await recordedAt(first)}`)).toEqual(apart);
    }
    const [second] = await state(statement(own, ['ent_x', 'likes', 'ent_z']));
    await unlink(link_id);
    for (const again of [asItIs, rebuild]) {
      await again();
      expect([await told(own), await conflicts(own)]).toEqual([apart, []]);
      expect(await believed(own)).toMatchObject(stances);
      expect(await told(own, `&as_of_recorded=${await recordedAt(first)}`)).toEqual(apart);
      expect(await told(own, `&as_of_recorded=${await recordedAt(second)}`)).toEqual(together);
    }
  });

  it('goes along with a value of its claim that it names as its reason', async () => {
    const own = 'org:links/user:declared-reason';
    await state(statement(own, ['ent_a', 'lives in', '=Paris'], { valid_from: '2020-01-01' }));
    const [paris] = (await service.get(`/v1/facts?scope=${own}`)).json.items;
    const body = { subject: 'ent_a', predicate: 'lives in', valid_from: '2022-01-01', supports: [paris.id] };
    await declare(service, own, { ...body, statement: 'London' });
    const alike = (id: string): string[] => [`${id} London declared 2022-`, `${id} Paris triple 2020-2022`];
    const stances = (id: string): Record<string, unknown> => ({
      [`${id} London`]: ['supported', ['event']],
      [`${id} Paris`]: ['contradicted', ['event']],
    });
    const { link_id } = await link(own, 'ent_a', 'ent_z');
    const rebuild = async (): Promise<void> => {
      expect((await service.post('/v1/beliefs/build', { scope: own })).status).toBe(200);
    };
    for (const again of [(): Promise<void> => Promise.resolve(), rebuild]) {
      await again();
      expect([await told(own), await believed(own)]).toEqual([
        alike('ent_z'),
        expect.objectContaining(stances('ent_z')),
      ]);
    }
    await unlink(link_id);
    for (const again of [(): Promise<void> => Promise.resolve(), rebuild]) {
      await again();
      expect([await told(own), await believed(own)]).toEqual([
        alike('ent_a'),
        expect.objectContaining(stances('ent_a')),
      ]);
    }
  });
});
