import type { RecallPack } from '../../schemas/recall.ts';
import { levelPaths } from '../../schemas/scope.ts';
import { StrataError } from '../../src/errors.ts';
import { NOTHING_FITS, NOTHING_KNOWN, NOTHING_SHOWN } from '../../src/recall/section.ts';
import { AccessService, type RuleDirectory } from '../../src/services/access.ts';
import { EvidenceService, noEvidence } from '../../src/services/evidence.ts';
import { OPERATOR } from '../support/principals.ts';

const call = { principal: OPERATOR, requestId: 'req_1', signal: new AbortController().signal };

/** A pack of one event of each scope. */
function packOf(scopes: readonly string[]): RecallPack {
  const events = scopes.map((scope, i) => ({ id: `evt_${i}`, scope, score: 0.5 }));
  const pack = {
    pack_id: 'pack_1',
    layers: { events, facts: [], beliefs: [], episodes: [], understanding: [] },
    context_block: scopes
      .map((scope, i) => `[2026-01-0${i + 1} 00:00 UTC] [${i + 1}] said in ${scope}`)
      .join('\n---\n'),
    provenance: {
      trail: [],
      citations: Object.fromEntries(events.map(({ id }, i) => [`[${i + 1}]`, { layer: 'events', id }])),
    },
    diagnostics: { scopes_withheld: 1, tokens: { budget: 100, used: 50 }, evicted: {} },
    warnings: ['a warning'],
  };
  return pack as unknown as RecallPack;
}

/** Evidence over a pack, where some scopes, and all below, refuse that a model is asked. */
function evidenceOf(pack: RecallPack, refused: readonly string[], lane = true) {
  const places: RuleDirectory['places'] = (names) =>
    Promise.resolve(
      names.map(({ path }) => {
        const levels = levelPaths(path).map((level) =>
          refused.includes(level)
            ? { members: null, allow: ['*' as const], deny: ['llm.invoke' as const] }
            : null,
        );
        return { path, levels };
      }),
    );
  const rules: RuleDirectory = { places, placesNow: places };
  const kept: RecallPack[] = [];
  let recalled = 0;
  const evidence = new EvidenceService({
    access: new AccessService({ posture: { kind: 'open' }, preset: 'dev_local', tenants: [], rules }),
    recall: {
      pack: () => {
        recalled += 1;
        return Promise.resolve(pack);
      },
    },
    packs: { keep: (_call, _scope, one) => kept.push(one) },
    again: { find: () => Promise.resolve(pack) },
    writing: {
      requireCallSite: () => {
        if (!lane) throw new StrataError('ANSWER_UNAVAILABLE', 'no model is set up');
      },
    },
  });
  return { evidence, kept, recalls: () => recalled };
}

const SCOPES = ['org:a', 'org:a/team:legal/user:x', 'org:a/team:sales', 'org:a/team:legal'];
const wish = {
  recall: { scope: 'org:a', query: 'q' },
  use_pack_id: undefined,
  prefix: '',
  asksModel: true,
} as const;

describe('what a model is shown', () => {
  it('is not looked for where no model is set up, which whoever may ask none is not told', async () => {
    const allowed = evidenceOf(packOf(SCOPES), [], false);
    await expect(allowed.evidence.of(call, wish)).rejects.toMatchObject({ code: 'ANSWER_UNAVAILABLE' });
    expect(allowed.recalls()).toBe(0);
    const refused = evidenceOf(packOf(SCOPES), ['org:a'], false);
    await expect(refused.evidence.of(call, wish)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect((await allowed.evidence.of(call, { ...wish, asksModel: false })).sources).toHaveLength(4);
  });

  it.each([undefined, 'pack_1'])(
    'leaves out scopes that refuse it, and says so (pack %s)',
    async (use_pack_id) => {
      const { evidence, kept } = evidenceOf(packOf(SCOPES), ['org:a/team:legal']);
      const { pack, sources, withheld } = await evidence.of(call, { ...wish, use_pack_id });
      expect(sources.map(({ id, text }) => [id, text])).toEqual([
        ['evt_0', '[2026-01-01 00:00 UTC] [1] said in org:a'],
        ['evt_2', '[2026-01-03 00:00 UTC] [2] said in org:a/team:sales'],
      ]);
      expect(JSON.stringify(pack)).not.toContain('legal');
      expect(pack.provenance.citations).toEqual({
        '[1]': { layer: 'events', id: 'evt_0' },
        '[2]': { layer: 'events', id: 'evt_2' },
      });
      expect(pack.diagnostics.scopes_withheld).toBe(3);
      expect(pack.warnings).toEqual(['a warning', expect.stringContaining('2 records of 2 scopes')]);
      expect(withheld).toBe(true);
      // Whoever uses the pack again is looked at again.
      expect(kept.map(({ layers }) => layers.events.length)).toEqual(use_pack_id === undefined ? [4] : []);
    },
  );

  it('says where all of it is withheld that it is, and not that nothing is known', async () => {
    const { evidence } = evidenceOf(packOf(SCOPES.slice(3)), ['org:a/team:legal']);
    const given = await evidence.of(call, wish);
    expect(given.sources).toEqual([]);
    expect(noEvidence(given)).toBe(NOTHING_SHOWN);
  });

  it('is told apart where it does not fit from where nothing is known', () => {
    const pack = packOf([]);
    expect(noEvidence({ withheld: false, pack })).toBe(NOTHING_KNOWN);
    const diagnostics = { ...pack.diagnostics, evicted: { events: 2 } };
    expect(noEvidence({ withheld: false, pack: { ...pack, diagnostics } })).toBe(NOTHING_FITS);
  });

  it('is everything where no scope refuses it, and without a model', async () => {
    const whole = packOf(SCOPES);
    expect((await evidenceOf(whole, []).evidence.of(call, wish)).pack).toBe(whole);
    const { evidence } = evidenceOf(whole, ['org:a/team:legal']);
    expect((await evidence.of(call, { ...wish, asksModel: false })).pack).toBe(whole);
  });
});
