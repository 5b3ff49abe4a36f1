import { startTestService, type TestService } from '../support/service.ts';
import { ask } from './graphql/ask.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ STRATA_GRAPHQL_INTROSPECTION: 'false' });
});
afterAll(() => service.stop());

it('GraphQL tells no schema where it is forbidden', async () => {
  const { errors } = await ask(service, '{ __schema { queryType { name } } }');
  expect(errors?.[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});
