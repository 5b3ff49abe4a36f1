import type { ScopeRules, StatedUse } from '../../src/access/rules.ts';
import { auditOf, defaultViewOf } from '../../src/access/scope-uses.ts';

const level = (own: StatedUse, ...named: StatedUse[]): ScopeRules => ({
  members: null,
  allow: ['*'],
  deny: [],
  uses: { own, named },
});

describe('what holds of how a scope is used', () => {
  it.each([
    ['nobody states anything', [null, null], 'on', null],
    [
      'the scope itself',
      [level({ audit: 'on' }), level({ audit: 'off', default_view: 'raw' })],
      'off',
      'raw',
    ],
    [
      'a scope that it names, the first one that states it, before the one above',
      [level({ audit: 'on', default_view: 'descend' }), level({}, {}, { audit: 'off' }, { audit: 'on' })],
      'off',
      'descend',
    ],
    ['the nearest one above', [level({ audit: 'on' }), level({ audit: 'off' }), null], 'off', null],
    [
      'what a scope above names is inherited by that one alone',
      [level({}, { audit: 'off', default_view: 'local' }), level({})],
      'on',
      null,
    ],
    [
      'rules that say nothing of it',
      [level({ audit: 'off' }), { members: null, allow: ['*'], deny: [] }],
      'off',
      null,
    ],
  ] as const)('%s', (_, levels, audit, view) => {
    expect([auditOf({ levels }), defaultViewOf({ levels })]).toEqual([audit, view]);
  });
});
