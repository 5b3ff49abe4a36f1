import {
  checkedStatement,
  partsOf,
  sayingKey,
  type ExtractedStatement,
  type RawStatement,
  type ReadText,
} from '../../src/derive/extraction.ts';
import fc from '../support/property.ts';

const RAW: RawStatement = {
  subject: 'Ada Byron',
  subject_type: 'person',
  predicate: 'lives_in',
  object: 'Turin',
  object_type: 'place',
  holds: 'yes',
  valid_from: null,
  valid_to: null,
  confidence: 0.9,
  cardinality: 'unknown',
  quote: '',
};
const TEXT = 'So 🚀 — Ada lives in\n  Turin.';
const OBSERVED = '2026-03-01T10:00:00.000Z';
const READ: ReadText = { whole: TEXT, from: 0, part: TEXT, observed_at: OBSERVED, held_since: OBSERVED };

function usable(more: Partial<RawStatement> = {}, read = READ): ExtractedStatement {
  const checked = checkedStatement({ ...RAW, ...more }, read);
  if (!checked.usable) throw new Error(checked.reason);
  return checked.statement;
}

describe('a statement of an extractor', () => {
  it('becomes a triple as if it had been sent', () => {
    expect(usable({ cardinality: 'one' })).toEqual({
      triple: {
        subject: { type: 'entity', id: 'ent_ada_byron', name: 'Ada Byron' },
        predicate: 'lives_in',
        object: { type: 'entity', id: 'ent_turin', name: 'Turin' },
        valid_from: null,
        valid_to: null,
        confidence: 0.9,
        polarity: 'positive',
      },
      subject_type: 'person',
      object_type: 'place',
      cardinality: 'one',
      quote: null,
      span: null,
    });
  });

  it('begins when it was observed where its day had not begun in UTC by then', () => {
    const observed_at = '2026-06-13T01:00:00.000+08:00';
    const early = { ...READ, observed_at, held_since: observed_at };
    const from = (valid_from: string): unknown => usable({ valid_from }, early).triple.valid_from;
    expect([from('2026-06-13'), from('2026-06-12')]).toEqual([early.observed_at, '2026-06-12']);
  });

  it('counts from when it was recorded where the clock that it was observed by is ahead', () => {
    const ahead = { ...READ, held_since: '2026-03-01T09:55:00.000Z' };
    expect(usable({ holds: 'ended' }, ahead).triple.valid_from).toBe(ahead.held_since);
    const until = (valid_to: string) => checkedStatement({ ...RAW, valid_to }, ahead).usable;
    expect([until('2026-03-01T09:57:00Z'), until('2026-03-01T09:54:00Z')]).toEqual([true, false]);
  });

  it.each<[Partial<RawStatement>, unknown]>([
    [
      { object: ' 42 ', object_type: 'number' },
      { datatype: 'number', value: 42 },
    ],
    [
      { object: '1e3', object_type: 'number' },
      { datatype: 'number', value: 1000 },
    ],
    [
      { object: '42', object_type: 'string' },
      { datatype: 'string', value: '42' },
    ],
    [
      { object: 'true', object_type: 'boolean' },
      { datatype: 'boolean', value: true },
    ],
    [
      { object: '2026-02-28', object_type: 'date' },
      { datatype: 'date', value: '2026-02-28' },
    ],
    [{ object: '2026-02-28T10:00:00Z', object_type: 'datetime' }, { datatype: 'datetime' }],
  ])('with the object %j has a literal', (more, literal) => {
    expect(usable(more).triple.object).toMatchObject({ type: 'literal', ...(literal as object) });
    expect(usable(more).object_type).toBeNull();
  });

  it.each<[Partial<RawStatement>, Record<string, unknown>]>([
    [{ valid_from: '2026-01-01' }, { polarity: 'positive', valid_from: '2026-01-01', valid_to: null }],
    [{ valid_to: '2026-04-01' }, { polarity: 'positive', valid_from: null, valid_to: '2026-04-01' }],
    [{ holds: 'ended' }, { polarity: 'negative', valid_from: READ.observed_at, valid_to: null }],
    [
      { holds: 'ended', valid_from: '2025-12-31' },
      { polarity: 'negative', valid_from: '2025-12-31' },
    ],
    [
      { holds: 'never', valid_from: '2025-12-31' },
      { polarity: 'negative', valid_from: null },
    ],
  ])('%j holds when it says', (more, expected) => {
    expect(usable(more).triple).toMatchObject(expected);
  });

  it.each<[Partial<RawStatement>, RegExp]>([
    [{ subject: '  ' }, /^subject: /],
    [{ subject: 'x'.repeat(257) }, /^subject: /],
    [{ predicate: ' ' }, /^predicate: /],
    [{ object: '' }, /^object: /],
    [{ object: ' ', object_type: 'string' }, /^object: is blank/],
    [{ object: 'many', object_type: 'number' }, /^object: is no number/],
    [{ object: '1e999', object_type: 'number' }, /^object: is no number/],
    [{ object: 'yes', object_type: 'boolean' }, /^object: /],
    [{ object: 'March', object_type: 'date' }, /^object\.value: /],
    [{ valid_from: 'last May' }, /^valid_from: /],
    [{ valid_to: '2026' }, /^valid_to: /],
    [{ valid_from: '2026-01-02', valid_to: '2026-01-01' }, /^valid_to: lies before/],
    [{ valid_to: '2020-01-01' }, /^valid_to: lies before/],
    [{ confidence: 1.2 }, /^confidence: /],
    [{ subject: 'Ada\u0000' }, /^subject\.name: /],
  ])('%j is of no use, and it is said why', (more, reason) => {
    const checked = checkedStatement({ ...RAW, ...more }, READ);
    expect(checked).toMatchObject({ usable: false, reason: expect.stringMatching(reason) });
  });

  it.each<[string, string | null]>([
    ['Ada lives in\n  Turin', 'Ada lives in\n  Turin'],
    ['ada LIVES in Turin', 'Ada lives in\n  Turin'],
    ['🚀 —', '🚀 —'],
    ['Ada lives in Rome', null],
    ['(.*)+$', null],
    ['', null],
  ])('is found where the words %j stand', (quote, found) => {
    const statement = usable({ quote });
    expect(statement.quote).toBe(found);
    const { start, end } = statement.span ?? { start: 0, end: 0 };
    expect(Array.from(TEXT).slice(start, end).join('')).toBe(found ?? '');
  });

  it.each<[string, string, string | null]>([
    ['She said “I’m in — for now…”.', `"I'm in - for now..."`, '“I’m in — for now…”'],
    ["She said 'I'm in - for now...'.", '‘I’m in – for now…’', "'I'm in - for now...'"],
    ['Tom &amp; Ann&#39;s caf&eacute;', "Tom & Ann's", 'Tom &amp; Ann&#39;s'],
    ["Tom & Ann's caf\u00e9", 'TOM &amp; Ann&#x2019;s café', "Tom & Ann's caf\u00e9"],
    ['It ended --\nat&nbsp;last.', 'ended—at last', null],
    ['It ended --\nat&nbsp; last.', 'ended — at last', 'ended --\nat&nbsp; last'],
    ['🚀🚀 İzmir is Ann’s home', `"izmir is ann's home"`, null],
    ['🚀🚀 Izmir is Ann’s home', `"izmir is ann's home"`, 'Izmir is Ann’s home'],
    ['It’s &quot;so&quot;', `"`, null],
    ['&#99999999; &#9999999; &bogus; a’b', "&bogus; a'b", '&bogus; a’b'],
  ])('is found in %j by %j', (whole, quote, found) => {
    const statement = usable({ quote }, { ...READ, whole, part: whole });
    expect(statement.quote).toBe(found);
    const { start, end } = statement.span ?? { start: 0, end: 0 };
    expect(Array.from(whole).slice(start, end).join('')).toBe(found ?? '');
  });

  it('says the same of the same in other spellings', () => {
    const one = sayingKey(usable());
    expect(sayingKey(usable({ predicate: 'Lives In', subject: ' ada  byron ', confidence: 0.1 }))).toBe(one);
    expect(sayingKey(usable({ predicate: 'resides_in' }))).toBe(one);
    expect(sayingKey(usable({ object: 'Rome' }))).not.toBe(one);
  });
});

describe('a long text', () => {
  const words = fc.stringMatching(/^[a-z🚀 .\n]{0,40}$/u);

  it('is cut into parts that give it back, none too long, none through a character', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 8, max: 60 }), (list, most) => {
        const text = list.join('');
        const parts = partsOf(text, most);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts) {
          expect(part.text.length).toBeLessThanOrEqual(most);
          expect(part.text.length).toBeGreaterThan(0);
          expect(part.text.isWellFormed()).toBe(true);
          expect(text.startsWith(part.text, part.from)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is cut at its paragraphs where it can', () => {
    expect(partsOf('One. Two.\n\nThree four. Five', 20).map(({ text }) => text)).toEqual([
      'One. Two.\n\n',
      'Three four. Five',
    ]);
  });

  it('finds words of a part where they stand in the whole', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), fc.nat(), (list, pick) => {
        const whole = `${list.join('')}🚀 Ada lives_in Turin`;
        const parts = partsOf(whole, 50);
        const part = parts[pick % parts.length];
        if (!part || part.text.trim() === '') return;
        const read = { ...READ, whole, from: part.from, part: part.text };
        const { span, quote } = usable({ quote: part.text.trim() }, read);
        expect(quote).toBe(part.text.trim());
        expect(
          Array.from(whole)
            .slice(span?.start ?? 0, span?.end ?? 0)
            .join(''),
        ).toBe(quote);
      }),
      { numRuns: 300 },
    );
  });
});
