import { message } from '../support/client.ts';
import { ModelEndpoint } from '../support/model-endpoint.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SCOPE = 'org:answers/user:clocks';

let service: TestService;
let answerer: ModelEndpoint;

beforeAll(async () => {
  answerer = await ModelEndpoint.start();
  answerer.script = () => ({ words: 'Lisbon [1].' });
  service = await startTestService({ STRATA_ANSWER_URL: answerer.url, STRATA_ANSWER_MODEL: 'answers' });
  const context = { observed_at: '2026-06-13T01:00:00+08:00' };
  const sent = message(SCOPE, 'I run the Lisbon marathon.', { context });
  expect((await service.post('/v1/experience?wait=indexed', sent)).status).toBe(202);
});
afterAll(async () => {
  await service.stop();
  await answerer.stop();
});

it.each([
  [{}, '[2026-06-13 01:00 +08:00]', 'Z'],
  [{ temporal: { timezone: 'Asia/Kathmandu' } }, '[2026-06-12 22:45 +05:45]', '+05:45'],
])('shows its model times by the clocks that are known: %j', async (more, stamp, offset) => {
  answerer.requests.length = 0;
  const asked = { scope: SCOPE, view: 'local', include: ['events'], question: 'Which marathon?' };
  const { json } = await service.post('/v1/answer', { ...asked, include_context: true, ...more });
  expect(json.context_block).toContain(stamp);
  const shown = JSON.parse(answerer.requests[0]?.turns[1]?.content ?? '');
  expect(shown.memory).toEqual([expect.stringContaining(stamp)]);
  expect(shown.asked_at.endsWith(offset)).toBe(true);
});
