import { rootsOf, seesEmptyStore } from '../../src/explorer/views/home/first-scopes.ts';
import { hourBefore, lastHour } from '../../src/explorer/views/home/last-hour.ts';
import type { FirstScopes, RecentEvent } from '../../src/explorer/views/home/queries.ts';

function scopesFor(
  naturalLevel: string,
  {
    paths = [],
    hasNextPage = false,
    decision = 'allow',
  }: { readonly paths?: string[]; readonly hasNextPage?: boolean; readonly decision?: 'allow' | 'deny' },
): FirstScopes {
  return {
    scopes: { nodes: paths.map((path) => ({ path })), pageInfo: { hasNextPage, endCursor: null } },
    effectivePolicy: {
      actor: 'user:a',
      naturalLevel,
      decisions: { 'scope.read.local': { decision, decided_by_tier: 'deployment' } },
    },
  };
}

describe('an empty store', () => {
  it.each([
    ['an operator to whom no scope is shown', true, scopesFor('operator', {})],
    ['somebody else to whom none is shown', false, scopesFor('none', {})],
    ['an operator who may not read', false, scopesFor('operator', { decision: 'deny' })],
    ['an operator to whom a scope is shown', false, scopesFor('operator', { paths: ['org:a'] })],
    ['an operator whose list goes on', false, scopesFor('operator', { hasNextPage: true })],
  ])('is one to %s: %s', (_who, sees, found) => {
    expect(seesEmptyStore(found)).toBe(sees);
  });
});

describe('the first scopes', () => {
  it('are shown that lie below no other one', () => {
    const paths = ['org:a', 'org:a/app:b', 'org:ab', 'user:c/app:d'];
    expect(rootsOf(scopesFor('none', { paths }))).toEqual(['org:a', 'org:ab', 'user:c/app:d']);
  });
});

describe('the last hour', () => {
  const at = Date.parse('2026-01-01T12:00:00.000Z');
  const event = (recordedAt: string): RecentEvent => ({
    id: recordedAt,
    scope: 'org:a',
    modality: 'observation',
    observedActor: { id: 'user:a' },
    context: { recordedAt },
    content: { kind: 'text', text: 'x' },
  });
  const answer = (hasNextPage: boolean, ...nodes: RecentEvent[]) => ({
    events: { nodes, pageInfo: { hasNextPage, endCursor: null } },
  });
  const [recent, old] = [event('2026-01-01T11:30:00.000Z'), event('2026-01-01T10:59:59.000Z')];

  it('begins an hour before', () => {
    expect(hourBefore(at)).toBe('2026-01-01T11:00:00.000Z');
  });

  it('leaves out what was recorded before it, and has no more behind that', () => {
    expect(lastHour(answer(true, recent, old), at)).toEqual({ events: [recent], hasMore: false });
    expect(lastHour(answer(true, recent), at)).toEqual({ events: [recent], hasMore: true });
    expect(lastHour(answer(false, recent), at)).toEqual({ events: [recent], hasMore: false });
    expect(lastHour({ events: null }, at)).toEqual({ events: [], hasMore: false });
  });
});
