import type { Role } from '../../schemas/policy.ts';
import type { Principal } from '../../src/access/principal.ts';
import { RequestRecord } from '../../src/access/request-record.ts';
import { StrataError } from '../../src/errors.ts';
import { AccessService, type Call, type RuleDirectory } from '../../src/services/access.ts';
import { ForgetRequests } from '../../src/services/forget-request.ts';
import { BY_OPERATOR, callBy, codeOf } from '../support/calls.ts';
import { NO_RULES } from '../support/principals.ts';

const SCOPE = 'ws:a';
const SOME = { memory_ids: ['fact_1', 'evt_1'] };

const requestsUnder = (rules: RuleDirectory): ForgetRequests =>
  new ForgetRequests(
    new AccessService({
      posture: { kind: 'keyed', key: 'k' },
      preset: 'dev_local',
      tenants: [],
      rules,
    }),
  );
const requests = requestsUnder(NO_RULES);

const capable = (...caps: Principal['caps'] & object): Call => callBy('user:a', { caps });

async function refusal(work: Promise<unknown>): Promise<StrataError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof StrataError) return error;
  throw new Error('it was not refused');
}

describe('what a forget asks for', () => {
  const asked = (body: object): Promise<unknown> => requests.asked(BY_OPERATOR, { scope: SCOPE, ...body });

  it('is of all layers, and leaves events, where nothing else is said', async () => {
    const all = ['events', 'episodes', 'facts', 'beliefs', 'understanding'];
    const said = { kind: 'selection', scope: SCOPE, layers: all, cascade: 'derived_only' };
    const plain = { ...said, suppress: false, note: null };
    expect(await asked({ selector: SOME })).toEqual({ ...plain, selector: SOME });
    expect(await asked({ selector: SOME, layers: [] })).toEqual({ ...plain, selector: SOME });
    expect(await asked({ confirm_all: true })).toEqual({ ...plain, selector: {} });
    expect(await asked({ confirm_all: true, selector: {} })).toEqual({ ...plain, selector: {} });
  });

  it('names each layer once', async () => {
    const layers = ['beliefs', 'facts', 'beliefs'];
    expect(await asked({ selector: SOME, layers })).toMatchObject({ layers: ['facts', 'beliefs'] });
  });

  it('keeps an empty list, which selects nothing, apart from no selector, which is everything', async () => {
    expect(await asked({ selector: { memory_ids: [] } })).toMatchObject({ selector: { memory_ids: [] } });
    expect(await codeOf(asked({ selector: {} }))).toBe('EMPTY_SELECTOR_WITHOUT_CONFIRMATION');
    const both = asked({ selector: { memory_ids: [] }, confirm_all: true });
    expect(await refusal(both)).toMatchObject({ code: 'AMBIGUOUS_SELECTOR_CONFIRM_ALL', status: 400 });
  });

  it('has one note by either name', async () => {
    for (const name of ['audit_note', 'reason'])
      expect(await asked({ selector: SOME, [name]: 'why' })).toMatchObject({ note: 'why' });
    expect(await codeOf(asked({ selector: SOME, audit_note: 'why', reason: 'why' }))).toBe('INVALID_BODY');
  });

  it('is what a preview says, whatever cascade and confirm_all say', async () => {
    const from_preview_id = 'fpvw_1';
    for (const more of [{}, { cascade: 'none', confirm_all: true }, { confirm_all: false, selector: {} }])
      expect(await asked({ from_preview_id, ...more })).toEqual({
        kind: 'preview',
        scope: SCOPE,
        preview_id: from_preview_id,
        suppress: false,
        note: null,
      });
    const beside = await refusal(asked({ from_preview_id, selector: { labels: [] } }));
    expect([beside.code, beside.status, beside.details?.field_path]).toEqual([
      'INVALID_BODY',
      422,
      'selector',
    ]);
  });

  it('takes suppress beside redact_events, and beside a preview, whose cascade is known later', async () => {
    const all = { confirm_all: true, cascade: 'redact_events' };
    expect(await asked({ ...all, suppress: true })).toMatchObject({ suppress: true });
    expect(await asked({ from_preview_id: 'fpvw_1', suppress: true })).toMatchObject({ suppress: true });
    for (const cascade of ['derived_only', 'none', undefined]) {
      const { code, details } = await refusal(asked({ ...all, cascade, suppress: true }));
      expect([code, details?.field_path]).toEqual(['INVALID_BODY', 'suppress']);
      expect(await asked({ ...all, cascade, suppress: false })).toMatchObject({ suppress: false });
    }
  });

  it('tells an unknown field in plain text, and an unknown key of the selector as JSON', async () => {
    const field = await refusal(asked({ selector: SOME, 'a.b': 1 }));
    expect(field).toMatchObject({ code: 'INVALID_BODY', status: 422, plainText: true });
    expect(field.message).toMatch(
      /^a\.b: unknown field; allowed are scope, layers, selector, .*from_preview_id$/,
    );
    for (const more of [{}, { confirm_all: true }]) {
      const key = await refusal(asked({ selector: { memory_id: ['x'] }, ...more }));
      expect(key).toMatchObject({ code: 'INVALID_BODY', status: 422, plainText: false });
      expect(key.details).toMatchObject({ field_path: 'selector.memory_id', reason: 'unknown field' });
    }
    const previewed = requests.askedPreview(BY_OPERATOR, { scope: SCOPE, from_preview_id: 'fpvw_1' });
    expect((await refusal(previewed)).message).toMatch(
      /^from_preview_id: unknown field; allowed are .*reason$/,
    );
  });

  it('tells any other cascade by a code of its own', async () => {
    for (const cascade of ['all', '', 1, null])
      expect(await codeOf(asked({ selector: SOME, cascade }))).toBe('INVALID_CASCADE');
  });

  it('takes the forgets that published clients send', async () => {
    const bodies = [
      { confirm_all: false, cascade: 'derived_only', selector: SOME, reason: 'version replaced' },
      { confirm_all: false, cascade: 'redact_events', selector: SOME, reason: 'version replaced' },
      { confirm_all: false, cascade: 'redact_events', selector: { about_entity: 'OPS-7' }, reason: 'x' },
      { confirm_all: true, cascade: 'redact_events', reason: 'clear()' },
      { confirm_all: true, cascade: 'redact_events', layers: ['beliefs'], reason: 'x' },
      { confirm_all: false, cascade: 'derived_only', from_preview_id: 'fpvw_1', reason: 'x' },
      { cascade: 'none', selector: { about_subject: 'what was said of Priya' }, audit_note: 'x' },
      { confirm_all: true, cascade: 'redact_events', audit_note: 'x' },
      { cascade: 'derived_only', selector: { predicate: 'lives_in' } },
    ];
    for (const body of bodies) expect(await asked(body)).toMatchObject({ scope: SCOPE });
    for (const body of bodies.filter((one) => !('from_preview_id' in one)))
      expect(await requests.askedPreview(BY_OPERATOR, { scope: SCOPE, ...body })).toMatchObject({
        kind: 'selection',
        cascade: body.cascade,
      });
  });
});

describe('who may forget', () => {
  const DERIVED = 'forget.cascade.derived_only';
  const REDACTING = 'forget.cascade.redact_events';
  const byCascade = (call: Call, cascade: string): Promise<unknown> =>
    requests.asked(call, { scope: SCOPE, selector: SOME, cascade });

  it.each([
    [DERIVED, 'derived_only', null],
    [DERIVED, 'none', null],
    [DERIVED, 'redact_events', REDACTING],
    [REDACTING, 'redact_events', null],
    [REDACTING, 'derived_only', DERIVED],
    [REDACTING, 'none', DERIVED],
    ['scope.write', 'none', DERIVED],
  ] as const)('with %s alone forgets by %s: lacks %s', async (cap, cascade, lacking) => {
    const work = byCascade(capable(cap), cascade);
    if (lacking === null) expect(await codeOf(work)).toBe('done');
    else
      expect(await refusal(work)).toMatchObject({
        code: 'POLICY_DENIED',
        details: { capability: lacking },
      });
  });

  it('by a preview, who may forget in one way; the way is asked for when it is known', async () => {
    const body = { scope: SCOPE, from_preview_id: 'fpvw_1' };
    for (const cap of [DERIVED, REDACTING] as const)
      expect(await codeOf(requests.asked(capable(cap), body))).toBe('done');
    expect(await codeOf(requests.asked(capable('scope.*'), body))).toBe('POLICY_DENIED');
    expect(await codeOf(requests.requireCascade(capable(DERIVED), 'redact_events', SCOPE))).toBe(
      'POLICY_DENIED',
    );
  });

  it('previews with the right to read what is shown', async () => {
    const body = { scope: SCOPE, selector: SOME };
    expect(await codeOf(requests.askedPreview(capable('forget.*', 'scope.read'), body))).toBe('done');
    expect((await refusal(requests.askedPreview(capable('forget.*'), body))).details).toMatchObject({
      capability: 'scope.read.local',
    });
    expect((await refusal(requests.askedPreview(capable('scope.*'), body))).details).toMatchObject({
      capability: DERIVED,
    });
  });

  it.each([
    ['owner', 'done'],
    ['writer', 'done'],
    ['reader', 'NOT_A_MEMBER'],
    [null, 'NOT_A_MEMBER'],
  ] as const)('of a roster as its %s: %s', async (role, outcome) => {
    const members = new Map<string, Role>(role === null ? [] : [['user:a', role]]);
    const governed = requestsUnder({
      places: (scopes) =>
        Promise.resolve(scopes.map(({ path }) => ({ path, levels: [{ members, allow: ['*'], deny: [] }] }))),
      placesNow: (scopes) => NO_RULES.placesNow(scopes),
    });
    const call = callBy('user:a');
    for (const body of [{ selector: SOME }, { from_preview_id: 'fpvw_1' }, { confirm_all: true }])
      expect(await codeOf(governed.asked(call, { scope: SCOPE, ...body }))).toBe(outcome);
    expect(await codeOf(governed.askedPreview(call, { scope: SCOPE, selector: SOME }))).toBe(outcome);
  });

  it('leaves the capability that was used for the audit log', async () => {
    const request = new RequestRecord({
      endpoint: 'POST /v1/forget',
      capability: null,
      audited: true,
      status: 200,
      bodySha256: () => null,
      began: 0,
    });
    await byCascade({ ...callBy('user:a'), request }, 'redact_events');
    expect(request.allowed).toMatchObject({ capability: REDACTING, scope: SCOPE });
  });
});
