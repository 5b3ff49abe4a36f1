import type { ScopeWithRules } from '../../src/access/rules.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { systemClock } from '../../src/clock.ts';
import { StrataError } from '../../src/errors.ts';
import { systemIds } from '../../src/ids.ts';
import { AccessService, type RuleDirectory } from '../../src/services/access.ts';
import type { BlobAccess } from '../../src/services/blob-access.ts';
import { CaptureCheck } from '../../src/services/capture-check.ts';
import type { ScopeTypes } from '../../src/services/scope-types.ts';
import { callBy } from '../support/calls.ts';

const GOVERNED = 'org:governed';
const OPEN = 'org:open';
const PREMISE = 'evt_00000000000070008000000000000001';

/** A gate in front of one governed scope whose writers a test changes. */
function gate(writers: Set<string>): AccessService {
  const placeOf = ({ path }: { path: string }): ScopeWithRules => {
    const members = new Map([...writers].map((actor) => [actor, 'writer'] as const));
    return { path, levels: [path === GOVERNED ? { members, allow: ['*'], deny: [] } : null] };
  };
  const rules: RuleDirectory = {
    places: (scopes) => Promise.resolve(scopes.map(placeOf)),
    placesNow: (scopes) => Promise.resolve(scopes.map(placeOf)),
  };
  return new AccessService({
    posture: { kind: 'keyed', key: 'k' },
    preset: 'dev_local',
    tenants: [],
    rules,
  });
}

/** A check for which something happens while the database is asked. */
function checking(access: AccessService, meanwhile: () => void = () => undefined): CaptureCheck {
  return new CaptureCheck({
    access,
    ids: systemIds,
    clock: systemClock,
    premises: {
      visibleAmong: (ids, tenant) => {
        meanwhile();
        const known = ids.filter((id) => id === PREMISE);
        return Promise.resolve(new Map(known.map((id) => [id, { tenant, path: OPEN, claim: null }])));
      },
      restingOn: () => Promise.resolve([]),
      rulesAt: () => Promise.resolve([]),
      namedForms: () => Promise.resolve([]),
    },
    blobs: { readable: () => Promise.resolve(new Set()) } as unknown as BlobAccess,
    scopeTypes: { check: () => Promise.resolve() } as unknown as ScopeTypes,
  });
}

const stating = (scope: string, more: object, envelope: object = {}) =>
  parseEnvelope({
    scope,
    modality: 'observation',
    ...envelope,
    content: {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: 'e' },
        predicate: 'p',
        object: { type: 'literal', datatype: 'string', value: 'v' },
        ...more,
      },
    },
  });
const conclusion = (scope: string, ...premises: string[]) => stating(scope, { derived_from: premises });
const said = (scope: string, more: object = {}) =>
  parseEnvelope({ scope, modality: 'conversation', content: { text: 'x' }, ...more });

const told = (results: readonly unknown[]): string[] =>
  results.map((result) => (result instanceof StrataError ? result.code : 'good'));

describe('what may be captured', () => {
  it('is decided again when the database has answered', async () => {
    const writers = new Set(['user:a']);
    const check = checking(gate(writers), () => {
      writers.clear();
    });
    const results = await check.check(callBy('user:a'), [
      said(GOVERNED),
      conclusion(OPEN, PREMISE),
      conclusion(GOVERNED, PREMISE),
    ]);
    expect(told(results)).toEqual(['NOT_A_MEMBER', 'good', 'NOT_A_MEMBER']);
  });

  it('is told item by item, the first reason of each', async () => {
    const check = checking(gate(new Set(['user:a'])));
    const results = await check.check(callBy('user:b'), [
      said(OPEN),
      said(GOVERNED),
      conclusion(OPEN, PREMISE, 'evt_none'),
      conclusion(GOVERNED, 'evt_none'),
      conclusion(OPEN, PREMISE),
      said(OPEN, { content: { kind: 'blob_ref', blob_id: 'blob_none' } }),
    ]);
    expect(told(results)).toEqual([
      'good',
      'NOT_A_MEMBER',
      'INVALID_BODY',
      'NOT_A_MEMBER',
      'good',
      'INVALID_BODY',
    ]);
    expect(results[2]).toMatchObject({
      details: { field_path: 'content.triple.derived_from[1]', reason: 'unknown id' },
    });
    expect(results[5]).toMatchObject({ details: { field_path: 'content.blob_id' } });
  });

  it('may end before it was observed by a clock that is ahead, for it holds since it is recorded', async () => {
    const check = checking(gate(new Set()));
    const ahead = { observed_at: '9000-01-02T00:00:00Z' };
    const behind = { observed_at: '2020-01-02T00:00:00Z' };
    const results = await check.check(callBy('user:a'), [
      stating(OPEN, { valid_to: '9000-01-01' }, ahead),
      stating(OPEN, { valid_to: '2020-01-01' }, ahead),
      stating(OPEN, { valid_to: '2020-01-01' }, behind),
      stating(OPEN, { valid_to: '2020-01-03' }, behind),
    ]);
    expect(told(results)).toEqual(['good', 'INVALID_BODY', 'INVALID_BODY', 'good']);
  });

  it('needs what each item asks for beside writing', async () => {
    const check = checking(gate(new Set()));
    const onBehalf = { observed_actor: { id: 'user:other' } };
    const writing = callBy('user:a', { caps: ['scope.write'] });
    expect(told(await check.check(writing, [said(OPEN), said(OPEN, onBehalf)]))).toEqual(['good', 'good']);
    const reading = callBy('user:a', { caps: ['scope.read'] });
    expect(told(await check.check(reading, [said(OPEN, onBehalf)]))).toEqual(['POLICY_DENIED']);
    expect(await check.check(reading, [])).toEqual([]);
  });
});
