import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

describe('without a model that answers', () => {
  it('answers and documents are not there, and the message says what to do', async () => {
    const scope = 'org:off/user:a';
    await service.post('/v1/experience?wait=indexed', message(scope, 'I live in Turin.'));
    for (const [path, body] of [
      ['/v1/answer', { scope, question: 'Where do I live?' }],
      ['/v1/compose', { scope, brief: 'Where' }],
    ] as const) {
      const given = await service.post(path, body);
      expectProblem(given, { status: 503, code: 'ANSWER_UNAVAILABLE' });
      expect(given.json.message).toMatch(/STRATA_ANSWER_API_KEY.*skip_answer_llm=true/);
      expect(given.json.retriable).toBe(false);
    }
    const { status, json } = await service.post('/v1/answer', {
      scope,
      question: 'Where do I live?',
      skip_answer_llm: true,
    });
    expect([status, json.answer, json.pack.layers.events.length]).toEqual([200, '', 1]);
    const ready = (await service.get('/v1/admin/ready')).json;
    expect(ready.checks.answer).toMatchObject({ ok: true, status: 'off' });
  });
});
