import type { Driver } from 'neo4j-driver';

import type { Principal } from '../../src/access/principal.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import type { StrataError } from '../../src/errors.ts';
import type { Call } from '../../src/services/access.ts';
import { query, testDriver } from '../support/database.ts';
import { holder } from '../support/principals.ts';
import { startTestService, type TestService } from '../support/service.ts';

const GOVERNED = 'org:governed/user:inner';
const OPEN = 'org:open';

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
  await query(
    driver,
    `MATCH (c:Counter {name: 'access'}) SET c.value = c.value + 1
     CREATE (:Scope {ref: $ref, tenant: 'default', path: 'org:governed', members: ['user:writer', 'user:reader'],
       roles: ['writer', 'reader'], access_version: c.value})`,
    { ref: scopeRef('default', 'org:governed') },
  );
});
afterAll(async () => {
  await service.stop();
  await driver.close();
});

function callOf(principal: Principal): Call {
  return { principal, requestId: 'req_test', signal: new AbortController().signal };
}
const by = (actor: string, narrowed: Partial<Principal> = {}): Call => callOf(holder(actor, narrowed));

async function uploadAs(call: Call, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const incoming = { contentType: 'text/plain', length: bytes.length, read: () => Promise.resolve(bytes) };
  return (await service.context.services.blob.upload(call, incoming)).blob_id;
}

async function referAs(call: Call, scope: string, blob: string): Promise<string> {
  const envelope = { scope, modality: 'observation', content: { kind: 'blob_ref', blob_id: blob } };
  return (await service.context.services.experience.capture(call, envelope, {})).event_id;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'fine';
  } catch (error) {
    return (error as StrataError).code;
  }
}

const readAs = (call: Call, blob: string): Promise<string> =>
  codeOf(service.context.services.blob.open(call, blob));

/** How often the two statements ran that a reading of a blob consists of. */
async function roundTrips(work: Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    const { metrics } = await service.context.metrics.json();
    const values = metrics.find(({ name }) => name === 'strata_statement_seconds')?.values ?? [];
    return values
      .filter(
        ({ name, labels }) =>
          name.endsWith('_count') && /^(blob|access\.rules)/.test(String(labels.statement)),
      )
      .reduce((sum, { value }) => sum + (value ?? 0), 0);
  };
  const before = await count();
  await work;
  return (await count()) - before;
}

describe('a blob that is referred to from a governed scope', () => {
  it('is for the members of its roster and its uploader, and for nobody else', async () => {
    const blob = await uploadAs(by('user:writer'), 'governed');
    expect(await readAs(by('user:reader'), blob)).toBe('NOT_FOUND');
    await referAs(by('user:writer'), GOVERNED, blob);
    expect(await readAs(by('user:reader'), blob)).toBe('fine');
    expect(await readAs(by('user:stranger'), blob)).toBe('NOT_FOUND');
    expect(await readAs(by('user:reader', { tenant: 'acme' }), blob)).toBe('NOT_FOUND');
    expect(await readAs(by('user:writer', { tenant: 'acme' }), blob)).toBe('NOT_FOUND');
    expect(await codeOf(service.context.services.blob.get(by('user:stranger'), blob))).toBe('NOT_FOUND');
    expect(await codeOf(service.context.services.blob.delete(by('user:reader'), blob))).toBe('NOT_FOUND');
  });

  it('cannot be opened by naming it elsewhere', async () => {
    const blob = await uploadAs(by('user:writer'), 'not for everybody');
    await referAs(by('user:writer'), GOVERNED, blob);
    expect(await codeOf(referAs(by('user:stranger'), OPEN, blob))).toBe('INVALID_BODY');
    expect(await readAs(by('user:stranger'), blob)).toBe('NOT_FOUND');
    // Who may read it may hand it on.
    expect(await codeOf(referAs(by('user:reader'), OPEN, blob))).toBe('fine');
    expect(await readAs(by('user:stranger'), blob)).toBe('fine');
  });

  it('is not there for a stranger, at the same cost as one that does not exist', async () => {
    const blob = await uploadAs(by('user:writer'), 'hidden');
    await referAs(by('user:writer'), GOVERNED, blob);
    const trips = (name: string) => roundTrips(readAs(by('user:stranger'), name));
    expect([await trips(blob), await trips('blob_nothing')]).toEqual([2, 2]);
    const captures = (name: string) => roundTrips(codeOf(referAs(by('user:stranger'), OPEN, name)));
    expect(await captures(blob)).toBe(await captures('blob_nothing'));
    const deletions = (name: string) =>
      roundTrips(codeOf(service.context.services.blob.delete(by('user:stranger'), name)));
    expect([await deletions(blob), await deletions('blob_nothing')]).toEqual([2, 2]);
  });
});

describe('a narrowed token', () => {
  it('reads blobs only with blob.read, and only where it may be used', async () => {
    const blob = await uploadAs(by('user:writer'), 'narrowed');
    await referAs(by('user:writer'), GOVERNED, blob);
    expect(await readAs(by('user:reader', { caps: ['scope.read'] }), blob)).toBe('POLICY_DENIED');
    expect(await readAs(by('user:reader', { caps: ['blob.*'] }), blob)).toBe('fine');
    const grants = (path: string) => [{ pattern: 'blob.read' as const, path, subtree: true }];
    expect(await readAs(by('user:reader', { grants: grants('org:governed') }), blob)).toBe('fine');
    expect(await readAs(by('user:reader', { grants: grants('org:elsewhere') }), blob)).toBe('NOT_FOUND');
  });

  it('uploads and deletes only with blob.upload', async () => {
    const reader = by('user:writer', { caps: ['blob.read', 'scope.write'] });
    expect(await codeOf(uploadAs(reader, 'x'))).toBe('POLICY_DENIED');
    const blob = await uploadAs(by('user:writer'), 'to be deleted');
    expect(await codeOf(service.context.services.blob.delete(reader, blob))).toBe('POLICY_DENIED');
    expect(await codeOf(service.context.services.blob.delete(by('user:writer'), blob))).toBe('fine');
  });

  it('refers to nothing without blob.read, be it what its actor uploaded', async () => {
    const caps = ['blob.upload', 'scope.write'] as const;
    const writer = by('user:writer', { caps });
    const blob = await uploadAs(writer, 'write only');
    expect(await codeOf(referAs(writer, GOVERNED, blob))).toBe('POLICY_DENIED');
    const reader = by('user:writer', { caps: [...caps, 'blob.read'] });
    expect(await codeOf(referAs(reader, GOVERNED, blob))).toBe('fine');
  });
});

describe('the operator', () => {
  it('reads what any event refers to, in any tenant, and nothing that none does', async () => {
    const acme = by('user:writer', { tenant: 'acme' });
    const blob = await uploadAs(acme, 'of another tenant');
    const path = `/v1/blobs/${blob}`;
    expect((await service.get(path)).status).toBe(404);
    await referAs(acme, OPEN, blob);
    expect((await service.get(path)).text).toBe('of another tenant');
    expect(await readAs(by('user:reader'), blob)).toBe('NOT_FOUND');
  });
});
