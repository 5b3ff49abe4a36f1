import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { callBy } from '../support/calls.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ STRATA_ALLOWED_SCOPE_TYPES: 'org' });
});
afterAll(() => service.stop());

const experience = (): TestService['context']['services']['experience'] =>
  service.context.services.experience;

/** The statements that a request asks the database before its group is written, each as often as it is asked. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const count = async (): Promise<Map<string, number>> => {
    const { metrics } = await service.context.metrics.json();
    const values = metrics.find(({ name }) => name === 'strata_statement_seconds')?.values ?? [];
    const counts = values.filter(({ name }) => name.endsWith('_count'));
    return new Map(counts.map(({ labels, value }) => [String(labels.statement), value ?? 0]));
  };
  const before = await count();
  await work();
  const looked = /^(premise\.visible_among|blob\.by_ids|scope\.exists_at_or_below|access\.rules)$/;
  return [...(await count())].flatMap(([statement, times]) =>
    looked.test(statement) ? Array<string>(times - (before.get(statement) ?? 0)).fill(statement) : [],
  );
}

const conclusion = (scope: string, premise: string, i: number): object => ({
  scope,
  modality: 'observation',
  content: {
    kind: 'triple',
    triple: {
      subject: { type: 'entity', id: `e${i}` },
      predicate: 'p',
      object: { type: 'literal', datatype: 'string', value: 'v' },
      derived_from: [premise],
    },
  },
});

describe('a bulk', () => {
  it('asks the database a handful of questions, however long it is', async () => {
    const call = callBy('user:a');
    const premise = (await experience().capture(call, message('org:p', 'a premise'), {})).event_id;
    const bytes = Buffer.from('a blob');
    const incoming = { contentType: 'text/plain', length: bytes.length, read: () => Promise.resolve(bytes) };
    const blob = (await service.context.services.blob.upload(call, incoming)).blob_id;
    const items = Array.from({ length: 200 }, (_, i) => [
      conclusion(`org:c${i % 50}`, premise, i),
      { scope: 'org:c0', modality: 'observation', content: { kind: 'blob_ref', blob_id: blob } },
      message(`ns:unregistered${i}`, 'x'),
    ]).flat();
    const statements = await asked(async () => {
      const { accepted, failures } = await experience().captureBulk(call, { items }, {});
      expect(accepted).toBe(400);
      expect(failures?.every(({ error_code }) => error_code === 'UNREGISTERED_SCOPE_TYPE')).toBe(true);
    });
    expect(statements.sort()).toEqual([
      // Where the items are, and the premise, and the blob; the last two always anew.
      'access.rules',
      'access.rules',
      'access.rules',
      'blob.by_ids',
      'premise.visible_among',
      'scope.exists_at_or_below',
    ]);
  });

  it('of plain messages asks nothing where the rules of its scope are remembered', async () => {
    const call = callBy('user:a');
    const items = Array.from({ length: 100 }, (_, i) => message('org:plain', `m${i}`));
    await experience().captureBulk(call, { items }, {});
    expect(await asked(() => experience().captureBulk(call, { items }, {}))).toEqual([]);
  });
});
