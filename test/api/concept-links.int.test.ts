import { statement } from '../support/facts.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { statementsOf } from './gate/statements.ts';
import { ask } from './graphql/ask.ts';
import { expectCode } from './problem.ts';

const SCOPE = 'org:links/user:ada';

let service: SharedService;

beforeAll(async () => {
  service = sharedService();
  for (const city of ['paris', 'london']) {
    const said = statement(SCOPE, ['ent_ada', 'knows', `ent_${city}`]);
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  }
});

const listed = async (noun: string): Promise<any[]> =>
  (await service.get(`/v1/${noun}?scope=${SCOPE}`)).json.items;

describe('links of concepts', () => {
  it('are not there for those who may not read what is understood', async () => {
    const caps = ['scope.read'];
    const reader = bearer((await mintFrom(service, { subject: 'user:reader', caps })).token, 'user:reader');
    const [fact] = await listed('facts');
    const typesFor = async (headers: Record<string, string | null>): Promise<string[]> => {
      const { json } = await service.get(`/v1/provenance/${fact.id}?direction=up`, { headers });
      return json.nodes.map(({ type }: any) => type as string).sort();
    };
    expect(await typesFor({})).toEqual(['belief', 'concept', 'concept', 'fact']);
    expect(await typesFor(reader)).toEqual(['belief', 'fact']);
    const [concept] = await listed('understanding');
    for (const path of ['provenance', 'records'])
      expectCode(await service.get(`/v1/${path}/${concept.id}`, { headers: reader }), 'NOT_FOUND');
  });

  it('of a page take as many round trips as those of one', async () => {
    const sent = async (first: number): Promise<number> => {
      const text = `{ concepts(scope: "${SCOPE}", first: ${first}) { nodes { id derivedFrom { id derives { id } } provenance { nodes { id } } } } }`;
      const { data, errors } = await ask(service, text);
      expect([errors, data.concepts.nodes.length]).toEqual([undefined, first]);
      // How far the listing itself walks is another question.
      const counted = (name: string): boolean => name !== 'concept.scan_scopes';
      return statementsOf(service, () => ask(service, text), counted);
    };
    expect(await sent(3)).toBe(await sent(1));
  });
});
