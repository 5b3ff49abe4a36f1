import { lifecycleId } from '../../schemas/lifecycle.ts';
import type { CapabilityPattern } from '../../schemas/policy.ts';
import { callBy } from '../support/calls.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

describe('frames and those who may read nothing', () => {
  it('are not shown to a token without scope.read, nor where a scope denies it', async () => {
    const [open, closed] = ['org:seen', 'org:unseen'];
    for (const scope of [open, closed]) {
      await service.post('/v1/experience', message(scope, 'x'));
      const policies = scope === closed ? { capabilities: { deny: ['scope.read'] } } : {};
      await service.post('/v1/scopes', {
        path: scope,
        members: [{ actor: 'user:a', role: 'owner' }],
        policies,
      });
    }
    const { lifecycle } = service.context.services;
    const seenBy = async (caps: CapabilityPattern[] | null, scope: string): Promise<number> => {
      const page = await lifecycle.list(callBy('user:a', caps === null ? {} : { caps }), { scope });
      return page.items.length;
    };
    expect(await seenBy(['lifecycle.subscribe', 'scope.read.local'], open)).toBeGreaterThan(0);
    const refused = { code: 'POLICY_DENIED' };
    await expect(seenBy(['lifecycle.subscribe'], open)).rejects.toMatchObject(refused);
    await expect(seenBy(null, closed)).rejects.toMatchObject(refused);
    const everywhere = await lifecycle.list(callBy('user:a', { caps: ['lifecycle.subscribe'] }), {});
    expect(everywhere.items).toEqual([]);
    const below = await lifecycle.list(callBy('user:a'), { limit: '1000' });
    expect(below.items.some(({ scope }) => scope === open)).toBe(true);
    expect(below.items.some(({ scope }) => scope === closed)).toBe(false);
  });

  it('leave no trace in the place where a full page ends', async () => {
    const members = [{ actor: 'user:other', role: 'owner' }];
    await service.post('/v1/scopes', { path: 'org:hidden', members });
    for (const scope of ['org:page', 'org:hidden', 'org:page'])
      await service.post('/v1/experience?wait=consolidated', message(scope, 'x'));
    const page = await service.context.services.lifecycle.list(callBy('user:a'), {
      scope: 'org:page',
      limit: '1',
    });
    const all = await service.context.services.lifecycle.list(callBy('user:a'), { scope: 'org:page' });
    expect(page.has_more).toBe(true);
    const next = await service.context.services.lifecycle.list(callBy('user:a'), {
      scope: 'org:page',
      offset: String(page.next_offset),
    });
    expect(lifecycleId(page.next_offset)).toBe(page.items[0]?.lifecycle_id);
    expect(next.items).toEqual(all.items.slice(1));
  });
});
