import { searchWords, wordPlaces } from '../../src/capture/search-words.ts';
import {
  countingBlock,
  fitBudget,
  tokensOfSaid,
  type Budget,
  type Candidates,
  type Fitted,
} from '../../src/recall/budget.ts';
import { renderContext, SEPARATOR, type ContextEntry } from '../../src/recall/context-block.ts';
import { LAYERS, type Layer } from '../../schemas/recall.ts';
import { finished } from '../../src/recall/steps.ts';
import { countTokens } from '../../src/recall/token-count.ts';
import type { Sought } from '../../src/recall/word-match.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const AT = Date.UTC(2026, 0, 31);
const sought: Sought = { words: new Set(['river']), wordsOf: searchWords, placesOf: wordPlaces };

const records = (layer: Layer, ...texts: readonly string[]): ContextEntry[] =>
  texts.map((text, i) => ({ layer, id: `${layer}_${i}`, at: AT, text }));
/** A text of so many words of a token each. */
const words = (count: number): string => Array.from({ length: count }, () => 'tea').join(' ');
const many = (layer: Layer, count: number, length: number): ContextEntry[] =>
  records(layer, ...Array.from({ length: count }, () => words(length)));

const chosen = (candidates: Candidates, budget: Budget = {}): Fitted => fitBudget(candidates, budget, sought);
const tokensOf = ({ entries }: Fitted): number => countTokens(renderContext(entries).text);
const tokensIn = ({ entries }: Fitted, layer: Layer): number =>
  tokensOf({ entries: entries.filter((entry) => entry.layer === layer), evicted: {} });
const idsOf = ({ entries }: Fitted): string[] => entries.map(({ id }) => id);

describe('a budget', () => {
  it('has room for everything where that is little, in the order of layers', () => {
    const candidates = {
      events: records('events', 'one', 'two'),
      facts: records('facts', 'Bo likes tea'),
      beliefs: records('beliefs', 'so it seems'),
    };
    const fitted = chosen(candidates);
    expect(fitted.entries).toEqual(
      [...candidates.facts, ...candidates.beliefs, ...candidates.events].map((entry) => ({
        ...entry,
        excerpt: null,
      })),
    );
    expect(fitted.evicted).toEqual({ facts: 0, beliefs: 0, episodes: 0, understanding: 0, events: 0 });
    expect(idsOf(chosen(candidates, { include: ['events', 'beliefs', 'events'] }))).toEqual([
      'events_0',
      'events_1',
      'beliefs_0',
    ]);
  });

  it('is 4,000 tokens where nothing else is asked for', () => {
    const taken = tokensOf(chosen({ facts: many('facts', 400, 30) }));
    expect(taken).toBeLessThanOrEqual(4000);
    expect(taken).toBeGreaterThan(3900);
  });

  it('keeps a third for events, and gives layers before them the rest in their order', () => {
    const fitted = chosen(
      { facts: many('facts', 100, 30), beliefs: many('beliefs', 100, 30), events: many('events', 100, 30) },
      { max_tokens: 3000 },
    );
    expect(tokensIn(fitted, 'events')).toBeGreaterThan(950);
    expect(tokensIn(fitted, 'facts')).toBeGreaterThan(1900);
    expect(tokensIn(fitted, 'beliefs')).toBe(0);
    expect(fitted.evicted.beliefs).toBe(100);
  });

  it('gives away what events do not need, and what others do not', () => {
    const few = chosen(
      { facts: many('facts', 100, 30), events: records('events', 'one') },
      { max_tokens: 3000 },
    );
    expect(tokensIn(few, 'facts')).toBeGreaterThan(2850);
    const others = chosen(
      { facts: records('facts', 'one'), events: many('events', 100, 30) },
      { max_tokens: 3000 },
    );
    expect(tokensIn(others, 'events')).toBeGreaterThan(2850);
  });

  it('keeps nothing for events that are not asked for', () => {
    const candidates = { facts: many('facts', 100, 30), events: many('events', 10, 30) };
    const fitted = chosen(candidates, { max_tokens: 3000, include: ['facts'] });
    expect(tokensIn(fitted, 'facts')).toBeGreaterThan(2900);
    expect(Object.keys(fitted.evicted)).toEqual(['facts']);
  });

  it('lets a layer that comes first take everything but the third', () => {
    const candidates = { facts: many('facts', 100, 30), events: many('events', 100, 30) };
    const fitted = chosen(candidates, { max_tokens: 3000, include: ['events', 'facts'] });
    expect(fitted.evicted.facts).toBe(100);
    expect(tokensIn(fitted, 'events')).toBeGreaterThan(2900);
  });

  it('passes over what does not fit, and takes the next', () => {
    const fitted = chosen({ facts: records('facts', words(10), words(500), words(10)) }, { max_tokens: 200 });
    expect(idsOf(fitted)).toEqual(['facts_0', 'facts_2']);
    expect(fitted.evicted.facts).toBe(1);
  });

  it('takes no more of a layer than its limit', () => {
    const candidates = { facts: many('facts', 9, 3), events: many('events', 9, 3) };
    const fitted = chosen(candidates, { per_layer_limits: { facts: 2, events: 0 } });
    expect(idsOf(fitted)).toEqual(['facts_0', 'facts_1']);
    expect(fitted.evicted).toMatchObject({ facts: 7, events: 9 });
  });

  it('cuts an event that does not fit around what is sought, and leaves room for those behind it', () => {
    const text = `${words(900)} by the river ${words(900)}`;
    const fitted = chosen(
      { events: records('events', text, ...many('events', 8, 20).map((one) => one.text)) },
      {
        max_tokens: 700,
      },
    );
    const [first] = fitted.entries;
    expect(first?.text).toContain('by the river');
    expect(first?.excerpt?.original_bytes).toBe(Buffer.byteLength(text));
    expect(first?.text).toBe(first?.excerpt?.text);
    expect(fitted.entries.filter(({ excerpt }) => excerpt === null)).toHaveLength(8);
    expect(tokensOf(fitted)).toBeGreaterThan(600);
  });

  it('cuts no other record', () => {
    const fitted = chosen({ facts: records('facts', words(900)) }, { max_tokens: 700 });
    expect(fitted).toMatchObject({ entries: [], evicted: { facts: 1 } });
  });

  it('of no tokens has nothing', () => {
    expect(
      chosen({ facts: records('facts', 'x'), events: records('events', words(99)) }, { max_tokens: 0 }),
    ).toEqual({
      entries: [],
      evicted: { facts: 1, beliefs: 0, episodes: 0, understanding: 0, events: 1 },
    });
  });

  it('counts markers of thousands too', () => {
    const fitted = chosen({ facts: many('facts', 1600, 1) }, { max_tokens: 30_000 });
    expect(fitted.entries.length).toBeGreaterThan(1300);
    expect(fitted.evicted.facts).toBeGreaterThan(0);
    expect(tokensOf(fitted)).toBeLessThanOrEqual(30_000);
  });

  it('has more room where there are no markers', () => {
    const candidates = { facts: many('facts', 100, 1) };
    const marked = chosen(candidates, { max_tokens: 1000 }).entries.length;
    expect(chosen(candidates, { max_tokens: 1000, citation_mode: 'none' }).entries.length).toBeGreaterThan(
      marked,
    );
  });
});

describe('the tokens of what an event says', () => {
  it('are stored with its passage, so that they must not change', () => {
    expect(
      [
        { speaker: 'Ana', text: 'I moved to Trieste in May 2026.\n[3] was the number!' },
        { speaker: null, text: 'Bo likes tea' },
        { speaker: 'U2', text: '東京タワーへ行く。 ' },
        { speaker: null, text: 'x'.repeat(4097) },
      ].map(tokensOfSaid),
    ).toEqual([22, 5, 12, null]);
  });
});

describe('any budget', () => {
  const text = fc.oneof(
    fc.lorem({ maxCount: 60 }),
    fc.lorem({ maxCount: 400 }).map((prose) => `${prose} river ${prose}`),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(fc.constantFrom('[3]', '!', '\n', '))', '\n---\n', ' ', '…', 'tea', '1234', '东京'), {
        maxLength: 60,
      })
      .map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('a', '-', '[1]', ' '), fc.nat(3000)).map(([unit, times]) => unit.repeat(times)),
  );
  const entries = (layer: Layer): fc.Arbitrary<ContextEntry[]> =>
    fc.array(text, { maxLength: 12 }).map((texts) => records(layer, ...texts));
  const candidates: fc.Arbitrary<Candidates> = fc.record(
    Object.fromEntries(LAYERS.map((layer) => [layer, entries(layer)])),
    { requiredKeys: [] },
  );
  const max_tokens = fc.oneof(fc.nat(400), fc.nat(5000), fc.nat(8_000_000));
  const budget = fc.record({
    max_tokens,
    include: fc.shuffledSubarray([...LAYERS], { minLength: 1 }),
    per_layer_limits: fc.dictionary(fc.constantFrom(...LAYERS), fc.nat(12)),
    citation_mode: fc.constantFrom('inline_with_markers', 'none'),
  });

  it('is never exceeded by the rendered block, in whatever order, whose tokens are told', () => {
    fc.assert(
      fc.property(candidates, budget, (found, asked) => {
        const { entries: shown } = chosen(found, asked);
        for (const some of [shown, shown.toReversed(), shown.slice(1)]) {
          const { text } = renderContext(some, asked.citation_mode);
          expect(countTokens(text)).toBeLessThanOrEqual(asked.max_tokens);
          expect(finished(countingBlock(some, asked.citation_mode))).toBe(countTokens(text));
        }
      }),
      { numRuns: inDepth(40, 150) },
    );
  });

  it('is spent the same way where the tokens of what events say are known', () => {
    fc.assert(
      fc.property(entries('events'), entries('facts'), budget, (events, facts, asked) => {
        const known = events.map((entry) => {
          const said_tokens = tokensOfSaid(entry);
          return said_tokens === null ? entry : { ...entry, said_tokens };
        });
        const fitted = chosen({ events: known, facts }, asked);
        expect(
          fitted.entries.map(({ said_tokens, excerpt, ...entry }) => {
            if (excerpt !== null) expect(said_tokens).toBeUndefined();
            return { ...entry, excerpt };
          }),
        ).toEqual(chosen({ events, facts }, asked).entries);
        expect(finished(countingBlock(fitted.entries, asked.citation_mode))).toBe(
          countTokens(renderContext(fitted.entries, asked.citation_mode).text),
        );
      }),
      { numRuns: inDepth(40, 150) },
    );
  });

  it('accounts for every record of the layers asked for, keeps ranks and limits, and always says the same', () => {
    fc.assert(
      fc.property(candidates, budget, (found, asked) => {
        const fitted = chosen(found, asked);
        expect(chosen(structuredClone(found), structuredClone(asked))).toEqual(fitted);
        expect(Object.keys(fitted.evicted)).toEqual(asked.include);
        const order = asked.include.flatMap((layer) => (found[layer] ?? []).map(({ id }) => id));
        expect(idsOf(fitted)).toEqual(order.filter((id) => idsOf(fitted).includes(id)));
        for (const layer of asked.include) {
          const shown = fitted.entries.filter((entry) => entry.layer === layer);
          expect(shown.length + fitted.evicted[layer]!).toBe(found[layer]?.length ?? 0);
          expect(shown.length).toBeLessThanOrEqual(asked.per_layer_limits[layer] ?? Infinity);
          if (layer !== 'events') expect(shown.every(({ excerpt }) => excerpt === null)).toBe(true);
        }
      }),
      { numRuns: inDepth(40, 150) },
    );
  });

  it('leaves out nothing that would still fit', () => {
    fc.assert(
      fc.property(candidates, max_tokens, (found, most) => {
        const fitted = chosen(found, { max_tokens: most });
        const shown = new Set(idsOf(fitted));
        const left = most - tokensOf(fitted);
        const out = LAYERS.flatMap((layer) => found[layer] ?? []).filter(({ id }) => !shown.has(id));
        for (const entry of out) {
          const line = `${SEPARATOR}${renderContext([entry]).text}${SEPARATOR}`;
          // What a line is charged is at most two tokens more than what it adds.
          expect(countTokens(line) + 2 * (shown.size + 1)).toBeGreaterThan(left);
        }
      }),
      { numRuns: inDepth(25, 100) },
    );
  });
});
