import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
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
});
