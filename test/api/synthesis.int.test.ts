import { cancelled } from '../support/cancel.ts';
import { stateEach, statement } from '../support/facts.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (...envelopes: Record<string, unknown>[]): Promise<string[]> => stateEach(service, envelopes);

async function conceptOf(scope: string, topic: string, query = ''): Promise<any> {
  const { status, json } = await service.get(`/v1/understanding?scope=${scope}&topic=${topic}${query}`);
  expect([status, json.items?.length]).toEqual([200, 1]);
  return json.items[0];
}

describe('a synthesis', () => {
  const scope = 'user:synthesis';

  /** The frames of a job, once it is over. */
  async function finished(job: string): Promise<any[]> {
    return eventually('the end of the synthesis', async () => {
      const { json } = await service.get(`/v1/lifecycle?job_id=${job}`);
      const over = json.items.some(({ event }: any) => event === 'synthesis_complete');
      return over ? (json.items as any[]) : undefined;
    });
  }

  it('is carried out in the log, and tells so', async () => {
    await state(...['tea', 'chess'].map((what) => statement(scope, ['ent_di', 'likes', `=${what}`])));
    const before = await conceptOf(scope, 'ent_di');
    const { status, json } = await service.post('/v1/understanding/synthesize', { scope, force: true });
    expect([status, json]).toEqual([
      202,
      {
        job_id: expect.stringMatching(/^syn_[0-9a-f]{32}$/) as string,
        status: 'queued',
        lifecycle_stream: `/v1/lifecycle/stream?job_id=${json.job_id}`,
      },
    ]);
    const frames = await finished(json.job_id);
    expect(frames.map(({ event, scope: of, data }) => ({ event, of, data }))).toEqual([
      {
        event: 'synthesis_complete',
        of: scope,
        data: { job_id: json.job_id, concepts: 1, versions: 1 },
      },
    ]);
    const after = await conceptOf(scope, 'ent_di');
    expect(after).toMatchObject({ id: before.id, version: 3, fact_count: 2, caused_by: json.job_id });
  });

  it('writes nothing where all is up to date, unless it is forced to, or asked for others', async () => {
    const { version } = await conceptOf(scope, 'ent_di');
    const ask_ = async (body: object): Promise<any> =>
      (await finished((await service.post('/v1/concepts/synthesize', { scope, ...body })).json.job_id))[0]
        .data;
    expect(await ask_({})).toMatchObject({ concepts: 1, versions: 0 });
    expect(await ask_({ force: true, topics: ['nobody'] })).toMatchObject({ versions: 0 });
    expect(await conceptOf(scope, 'ent_di')).toMatchObject({ version });
    expect(await ask_({ force: true, topics: ['ENT_DI'] })).toMatchObject({ versions: 1 });
    expect(await conceptOf(scope, 'ent_di')).toMatchObject({ version: Number(version) + 1 });
  });

  it('counts where its place in the log is, whatever is taken out or comes later', async () => {
    const own = 'user:placed';
    const [first] = await state(statement(own, ['ent_ed', 'likes', '=tea']));
    await state(statement(own, ['ent_ed', 'likes', '=figs']));
    const { job_id } = (await service.post('/v1/concepts/synthesize', { scope: own, force: true })).json;
    await finished(job_id);
    await state(statement(own, ['ent_ed', 'likes', '=jazz']));
    const concept = await conceptOf(own, 'ent_ed');
    const causes = async (): Promise<string[]> =>
      (await service.get(`/v1/concepts/${concept.id}/history`)).json.versions.map(
        ({ caused_by, fact_count }: any) => `${caused_by === job_id ? 'synthesis' : 'event'} ${fact_count}`,
      );
    expect(await causes()).toEqual(['event 1', 'event 2', 'synthesis 2', 'event 3']);
    await cancelled(service, first, own);
    expect(await causes()).toEqual(['event 1', 'synthesis 1', 'event 2']);
  });

  it('is refused for a scope that is not there, and where it says nothing sensible', async () => {
    const path = '/v1/understanding/synthesize';
    expect(await service.post(path, { scope: 'user:unheard-of' })).toMatchObject({
      status: 404,
      json: { error_code: 'NOT_FOUND' },
    });
    for (const body of [{}, { scope, topics: [] }, { scope, topics: [''] }, { scope, deep: true }])
      expect(await service.post(path, body)).toMatchObject({
        status: 422,
        json: { error_code: 'INVALID_BODY' },
      });
  });
});
