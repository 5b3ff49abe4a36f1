import { statement } from '../support/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { statementsOf } from './gate/statements.ts';
import { ask } from './graphql/ask.ts';

const SCOPE = 'org:links/user:ada';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  for (const city of ['paris', 'london']) {
    const said = statement(SCOPE, ['ent_ada', 'knows', `ent_${city}`]);
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  }
});
afterAll(() => service.stop());

describe('links of concepts', () => {
  it('of a page take no more round trips than those of one', async () => {
    const sent = async (first: number): Promise<number> => {
      const text = `{ concepts(scope: "${SCOPE}", first: ${first}) { nodes { id derivedFrom { id derives { id } } provenance { nodes { id } } } } }`;
      const { data, errors } = await ask(service, text);
      expect([errors, data.concepts.nodes.length]).toEqual([undefined, first]);
      // How far the listing itself walks is another question.
      const counted = (name: string): boolean => name !== 'concept.scan_scopes';
      return statementsOf(service, () => ask(service, text), counted);
    };
    expect(await sent(3)).toBeLessThanOrEqual(await sent(1));
  });
});
