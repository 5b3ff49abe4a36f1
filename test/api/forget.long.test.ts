import { FORGET_LAYERS, type ForgetLayer } from '../../schemas/forget.ts';
import { byLayer } from '../../src/forget/layers.ts';
import { beginForget } from '../support/begun-forget.ts';
import { query } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { inDepth } from '../support/depth.ts';
import { statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import fc from '../support/property.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { eventually } from '../support/wait.ts';

// What a preview shows is what a forget takes, nothing else goes with it, and deriving anew leaves the same.

const HISTORIES = inDepth(12, 150);

const own = ownService();

type Ids = Readonly<Record<ForgetLayer, readonly string[]>>;

/** The ids of what a scope answers, by layer. */
async function idsOf(scope: string): Promise<Ids> {
  const found: Partial<Record<ForgetLayer, string[]>> = {};
  for (const layer of FORGET_LAYERS) {
    // What another took the place of is in force again when that goes.
    const all = layer === 'facts' ? '&include_superseded=true' : '';
    const { json } = await own.service.get(`/v1/${layer}?scope=${scope}&limit=200${all}`);
    found[layer] = json.items.map(({ id }: { id: string }) => id);
  }
  return found as Ids;
}

const PEOPLE = ['ann', 'bob', 'cyd'];
const said = fc.record({
  triple: fc.tuple(
    fc.constantFrom(...PEOPLE),
    fc.constantFrom('likes', 'lives_in', 'knows'),
    fc.constantFrom(...PEOPLE, 'oslo', 'tea'),
  ),
  label: fc.constantFrom('a', 'b'),
  day: fc.integer({ min: 1, max: 9 }),
});
const wanted = fc.record({
  cascade: fc.constantFrom('derived_only', 'redact_events', 'none'),
  layers: fc.subarray([...FORGET_LAYERS]),
  by: fc.constantFrom('ids', 'entity', 'subject', 'predicate', 'labels', 'all'),
  pick: fc.nat(),
});
type Wanted = typeof wanted extends fc.Arbitrary<infer T> ? T : never;

function bodyOf(scope: string, { cascade, layers, by, pick }: Wanted, there: Ids): Record<string, unknown> {
  const ids = FORGET_LAYERS.flatMap((layer) => there[layer]);
  const person = PEOPLE[pick % PEOPLE.length];
  const selectors = {
    ids: { memory_ids: ids.length === 0 ? [] : [ids[pick % ids.length]] },
    entity: { about_entity: person },
    subject: { about_subject: person },
    predicate: { predicate: 'likes' },
    labels: { labels: ['about:a'] },
    all: undefined,
  };
  const selector = selectors[by];
  return { scope, layers, cascade, ...(selector === undefined ? { confirm_all: true } : { selector }) };
}

let round = 0;

it(
  'takes exactly what was shown, in any history, and it stays gone when all is derived anew',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 7 }), wanted, async (history, want) => {
        round += 1;
        const scope = `org:forgets/ws:w${round}`;
        const envelopes = history.map(({ triple, label, day }, i) => {
          const envelope = statement(scope, triple, { observed_at: `2026-01-0${day}T10:0${i}:00Z` });
          const context = { ...(envelope.context as object), labels: [`about:${label}`] };
          return { ...envelope, context };
        });
        const captured = await own.service.post('/v1/experience/bulk', { items: envelopes });
        expect(captured.json).toMatchObject({ accepted: history.length });
        await allDerived(own.driver);
        const before = await idsOf(scope);
        const body = bodyOf(scope, want, before);
        const shown = await own.service.post('/v1/forget/preview', body);
        expect(shown.status).toBe(200);
        const done = await own.service.post('/v1/forget', { scope, from_preview_id: shown.json.preview_id });
        expect([done.status, done.json.deleted]).toEqual([200, shown.json.estimated_deleted]);
        const after = await idsOf(scope);
        // A fact or an episode that goes on without its first statement has another id; nothing but that goes beyond what was shown.
        const lost = (layer: ForgetLayer): string[] =>
          before[layer].filter((id) => !after[layer].includes(id));
        for (const layer of ['events', 'beliefs', 'understanding'] as const)
          expect([layer, lost(layer).sort()]).toEqual([layer, [...shown.json.ids[layer]].sort()]);
        for (const layer of ['facts', 'episodes'] as const)
          expect(before[layer].length - after[layer].length).toBe(shown.json.ids[layer].length);
        const left = await derivedDump(own.driver);
        await askForRebuild(own.database, scope);
        await allDerived(own.driver);
        expect(unlike(left, await derivedDump(own.driver))).toEqual({ lost: [], new: [] });
      }),
      { numRuns: HISTORIES },
    );
  },
  DERIVING_PATIENCE_MS * inDepth(4, 20),
);

it('goes on beside other forgets, a rebuild and captures, with the codes of the contract and nothing half done', async () => {
  const scope = 'org:forgets/ws:storm';
  const capture = (i: number) =>
    own.service.post('/v1/experience', statement(scope, [PEOPLE[i % 3] ?? '', 'likes', `thing-${i}`]));
  for (let i = 0; i < 12; i += 1) expect((await capture(i)).status).toBe(202);
  const forget = (more: object) => own.service.post('/v1/forget', { scope, ...more });
  const [storm, ...forgets] = await Promise.all([
    Promise.all(Array.from({ length: 24 }, (_, i) => capture(100 + i))),
    forget({ selector: { about_entity: 'ann' } }),
    forget({ selector: { about_subject: 'bob' }, cascade: 'redact_events' }),
    forget({ confirm_all: true, cascade: 'none', layers: ['beliefs'] }),
    own.service.post('/v1/admin/derived/rederive', { scope }),
  ]);
  expect(storm.map(({ status }) => status)).toEqual(storm.map(() => 202));
  for (const { status, json } of forgets)
    expect([200, 202, 'REDERIVE_IN_PROGRESS', 'DESTRUCTIVE_OPERATION_IN_PROGRESS', 'WAIT_TIMEOUT']).toContain(
      status < 300 ? status : json.error_code,
    );
  await allDerived(own.driver);
  const left = await derivedDump(own.driver);
  await askForRebuild(own.database, scope);
  await allDerived(own.driver);
  expect(unlike(left, await derivedDump(own.driver))).toEqual({ lost: [], new: [] });
  const { length } = (await idsOf(scope)).events;
  const last = await forget({ confirm_all: true, cascade: 'redact_events' });
  expect([last.status, last.json.deleted?.events]).toEqual([200, length]);
  expect(await idsOf(scope)).toEqual(byLayer(() => []));
});

it(
  'finishes at the next start what a process had begun, once',
  async () => {
    const scope = 'org:forgets/ws:cut';
    const stated = statement(scope, ['dan', 'likes', 'tea']);
    const { json } = await own.service.post('/v1/experience?wait=consolidated', stated);
    // It was begun long ago, so that nobody is at it any more.
    const cut = { scope, events: [json.event_id], at: 0 };
    const plan = await beginForget(own.database, cut);
    // No other forget begins in between.
    await expect(beginForget(own.database, cut)).rejects.toThrow('forgetting');
    await own.restart();
    await eventually(
      'the plan to be carried out',
      async () => (await query(own.driver, 'MATCH (p:ForgetPlan) RETURN p.id AS id')).length === 0,
      DERIVING_PATIENCE_MS,
    );
    expect((await own.service.get(`/v1/events/${json.event_id}`)).status).toBe(404);
    expect(await idsOf(scope)).toEqual(byLayer(() => []));
    const frames = await own.service.get(`/v1/lifecycle?scope=${scope}&events=forgotten&limit=100`);
    const last = frames.json.items.filter(({ data }: any) => data.audit_id === plan.id);
    expect(last).toHaveLength(1);
  },
  DERIVING_PATIENCE_MS * inDepth(4, 20),
);
