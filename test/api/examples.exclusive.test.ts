import { execFile } from 'node:child_process';

import type { Driver } from 'neo4j-driver';

import { EXAMPLES } from '../../schemas/examples.ts';
import { SERVED_IDS, type ServedOperationId } from '../../schemas/operation.ts';
import { shapeOf } from '../docs/page.ts';
import { TEST_KEY } from '../support/client.ts';
import { query, testDriver } from '../support/database.ts';
import { ModelEndpoint } from '../support/model-endpoint.ts';
import { inherited } from '../support/processes.ts';
import { ADDRESS, commandOf } from '../support/reference/example-text.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

const HARBOUR = { type: 'entity', id: 'ent_harbour', name: 'Harbour' };
const PILOT = 'org:acme/project:pilot';

/** What happens in the story before an operation, beside the examples. */
const BEFORE: Partial<Record<ServedOperationId, () => Promise<unknown>>> = {
  experienceStatus: () =>
    service.post('/v1/experience/bulk?wait=consolidated', {
      scope: 'org:acme/project:harbour',
      items: [leads('ent_priya', 'Priya'), leads('ent_leo', 'Leo')],
    }),
  // One that is under way, and that nobody carries out.
  cancelErasure: async () => {
    const plan = 'audit_00000000000000000000000000000000';
    await query(
      driver,
      `CREATE (:ForgetStep {plan_id: $plan, number: 0, kept_at: $now, redacted: [], wishes: [], tries: 0})
       CREATE (:Erasure {id: 'ers_01a21b5410a27c0f9a51e84b09c3d6f2', tenant: 'default', scope: 'org:acme/user:priya', scope_ref: 'none',
         actor: 'user:local', audit_id: $plan, gone: '{"events":2,"episodes":1,"facts":2,"beliefs":2,"understanding":1}',
         events_total: 2, events_held: 0, events_done: 1, named: [], started_at: $now, status: 'running', phase: 'removing'})`,
      { plan, now: Date.now() },
    );
  },
  listSuppressions: async () => {
    const scope = 'org:acme/user:priya';
    const said = { scope, modality: 'document', content: { text: 'The code of the door is 4711.' } };
    const { json } = await service.post('/v1/experience?wait=consolidated', said);
    const selector = { memory_ids: [json.event_id] };
    await service.post('/v1/forget', { scope, selector, cascade: 'redact_events', suppress: true });
  },
  deleteScope: async () => {
    await service.post('/v1/scopes', { path: PILOT, owner: 'user:local' });
    await service.post('/v1/experience', {
      scope: PILOT,
      modality: 'document',
      content: { text: 'The pilot is over.' },
    });
  },
};

/** The operations in the order of the story, as far as it is not that of the table. */
const FIRST: readonly ServedOperationId[] = [
  'registerScope',
  'captureExperience',
  'captureExperienceBulk',
  'experienceStatus',
  'factTimeline',
  'declareBelief',
];
const LAST: readonly ServedOperationId[] = [
  'previewForget',
  'forget',
  'rederive',
  'getRederive',
  'buildBeliefs',
  'buildEpisodes',
  'cancelEvent',
  'previewErasure',
  'getErasurePreviewManifest',
  'startErasure',
  'getErasure',
  'getErasureManifest',
  'cancelErasure',
  'getErasureReceipt',
  'verifyErasure',
];
const STORY = [...FIRST, ...SERVED_IDS.filter((id) => ![...FIRST, ...LAST].includes(id)), ...LAST];

/** An id as the service makes them. */
const ID = /^(?:[a-z]+_[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

let service: TestService;
let driver: Driver;
let writer: ModelEndpoint;
let checker: ModelEndpoint;
/** Ids of this service by those of the examples. */
const ids = new Map<string, string>();

beforeAll(async () => {
  driver = testDriver();
  writer = await ModelEndpoint.start();
  writer.script = ({ turns }) =>
    'question' in (JSON.parse(turns[1]?.content ?? '') as object)
      ? { words: 'On Thursday at nine [1].' }
      : { words: '## Flight\n\nThe flight leaves on Thursday at nine [S1].' };
  checker = await ModelEndpoint.start();
  checker.script = ({ turns }) => {
    const { claims } = JSON.parse(turns[1]?.content ?? '') as {
      claims: { claim: number; cites: number[] }[];
    };
    const checks = claims.flatMap(({ claim, cites }) =>
      cites.map((source) => ({ claim, source, support: 0.95 })),
    );
    return { say: { checks } };
  };
  service = await startTestService({
    STRATA_ANSWER_URL: writer.url,
    STRATA_ANSWER_MODEL: 'writer-1',
    STRATA_VERIFIER_URL: checker.url,
    STRATA_VERIFIER_MODEL: 'checker-1',
    STRATA_SIGNUP_ENABLE: '1',
    STRATA_V1_MINTER_ENABLE: '1',
  });
});
afterAll(async () => {
  await service.stop();
  await driver.close();
  await Promise.all([writer.stop(), checker.stop()]);
});

/** A statement of who leads the project; two of them contradict each other. */
function leads(id: string, name: string): object {
  const object = { type: 'entity', id, name };
  const triple = { subject: HARBOUR, predicate: 'led_by', object, valid_from: '2026-10-01' };
  return { modality: 'observation', content: { kind: 'triple', triple } };
}

/** Runs the command that the reference shows, with the ids of this service. */
async function run(id: ServedOperationId): Promise<{ status: number; answer: unknown }> {
  let command = commandOf(id, EXAMPLES[id]).replace(ADDRESS, service.url);
  for (const [shown, own] of ids) command = command.replaceAll(shown, own);
  // A stream does not end by itself.
  const limit = id === 'streamLifecycle' || id === 'streamGraph' ? ' -m 3' : '';
  const printed = await new Promise<string>((resolve, reject) => {
    const env = { ...inherited(), STRATA_API_KEY: TEST_KEY };
    const options = { env, maxBuffer: 16 * 1024 * 1024 };
    execFile('sh', ['-c', `${command}${limit} -w '\\n%{http_code}'`], options, (error, stdout) => {
      if (error !== null && limit === '') reject(new Error(`${command}: ${error.message}`));
      else resolve(stdout);
    });
  });
  const [, body = '', status] = /^([^]*)\n(\d+)$/.exec(printed) ?? [];
  return { status: Number(status), answer: jsonOf(body) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Notes the ids of an answer beside those of the example. */
function learn(shown: unknown, given: unknown): void {
  if (typeof shown === 'string' && typeof given === 'string') {
    if (ID.test(shown)) ids.set(shown, given);
  } else if (isObject(shown) && isObject(given))
    for (const [name, part] of Object.entries(shown)) learn(part, given[name]);
}

/** Whether a value has all that is shown in excerpt: each field, and of a list something of the shape of each element. */
function holds(given: unknown, shown: unknown): boolean {
  if (Array.isArray(shown))
    return Array.isArray(given) && shown.every((one) => given.some((other) => holds(other, one)));
  if (!isObject(shown)) return typeof given === typeof shown;
  return isObject(given) && Object.entries(shown).every(([name, part]) => holds(given[name], part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

describe('the example of the reference', () => {
  it.each(STORY)('%s is answered as it is shown', async (id) => {
    await BEFORE[id]?.();
    const { status, answer = '', excerpt } = EXAMPLES[id];
    const given = await eventually('the job to be done', async () => {
      const one = await run(id);
      return id !== 'getRederive' || (one.answer as { status: string }).status === 'completed' ? one : false;
    });
    expect([given.status, given.status < 400 || given.answer]).toEqual([status, true]);
    if (excerpt === true) expect(holds(given.answer, answer)).toBe(true);
    else expect(shapeOf(given.answer)).toEqual(shapeOf(answer));
    learn(answer, given.answer);
  });
});
