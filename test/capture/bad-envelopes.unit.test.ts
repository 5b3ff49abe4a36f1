import { CLIENT_SCOPE_TYPES, CONTRACT_SCOPE_TYPES } from '../../schemas/scope.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import type { EventRecord } from '../../src/capture/event-record.ts';
import { systemClock } from '../../src/clock.ts';
import { StrataError } from '../../src/errors.ts';
import { systemIds } from '../../src/ids.ts';
import { AccessService } from '../../src/services/access.ts';
import type { BlobAccess } from '../../src/services/blob-access.ts';
import { CaptureCheck } from '../../src/services/capture-check.ts';
import { ScopeTypes } from '../../src/services/scope-types.ts';
import { GOOD } from '../api/bad-input/case.ts';
import { AT_THE_CAP, BAD_ENVELOPES } from '../api/bad-input/envelopes.ts';
import { BY_OPERATOR } from '../support/calls.ts';

// Every row of envelopes at the parser and the check behind it, which all transports share; over HTTP goes one of each class.

const nothing = { existsAtOrBelow: () => Promise.resolve(false) };
const placeOf = ({ path }: { path: string }) => ({ path, levels: [] });

/** The check of a service whose store is empty. */
const check = new CaptureCheck({
  access: new AccessService({
    posture: { kind: 'keyed', key: 'k' },
    preset: 'dev_local',
    tenants: [],
    rules: {
      places: (scopes) => Promise.resolve(scopes.map(placeOf)),
      placesNow: (scopes) => Promise.resolve(scopes.map(placeOf)),
    },
  }),
  ids: systemIds,
  clock: systemClock,
  premises: {
    visibleAmong: () => Promise.resolve(new Map()),
    restingOn: () => Promise.resolve([]),
    rulesAt: () => Promise.resolve([]),
    namedForms: () => Promise.resolve([]),
  },
  blobs: { readable: () => Promise.resolve(new Set()) } as unknown as BlobAccess,
  scopeTypes: new ScopeTypes(nothing as unknown as ConstructorParameters<typeof ScopeTypes>[0], [
    ...CONTRACT_SCOPE_TYPES,
    ...CLIENT_SCOPE_TYPES,
  ]),
});

/** What becomes of a body: its record, or why it is refused. */
async function judged(patch: object): Promise<EventRecord | StrataError> {
  try {
    const body: unknown = JSON.parse(JSON.stringify({ ...GOOD, ...patch }));
    const [outcome] = await check.check(BY_OPERATOR, [parseEnvelope(body)]);
    if (outcome === undefined) throw new Error('nothing became of it');
    return outcome;
  } catch (error) {
    if (error instanceof StrataError) return error;
    throw error;
  }
}

it.each(BAD_ENVELOPES.map((row) => [row[0], row[3] ?? 'INVALID_BODY', row] as const))(
  '%s: %s',
  async (_what, code, [, patch, field]) => {
    const refused = await judged(patch);
    if (!(refused instanceof StrataError)) throw new Error('it was accepted');
    expect([refused.code, refused.details?.field_path, refused.status]).toEqual([code, field, 422]);
    expect(refused.message).toMatch(/\S/);
  },
);

it.each(AT_THE_CAP)('at a bound is accepted: %s', async (_what, patch) => {
  const sent = { ...GOOD, ...patch };
  const accepted = await judged(patch);
  if (accepted instanceof StrataError) throw accepted;
  expect(accepted.scope).toBe(sent.scope);
  expect(parseEnvelope(sent)).toEqual(sent);
  expect(accepted.envelope).toContain(JSON.stringify(sent.content));
});
