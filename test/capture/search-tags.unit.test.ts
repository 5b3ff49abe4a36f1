import { parseEnvelope } from '../../src/capture/envelope.ts';
import { observedDay, recordedDay, tagOf, tagsOf } from '../../src/capture/search-tags.ts';
import fc from '../support/property.ts';

const HASH = `sha256:${'0'.repeat(64)}`;
const SOURCE = {
  schema_version: 2,
  source_id: 'chat-1',
  modality: 'conversation',
  content_kind: 'message',
  source_fingerprint: HASH,
  fragments: [
    {
      fragment_id: 'f1',
      locator: { kind: 'conversation', session_id: 's', turn_index: 0 },
      content_fingerprint: HASH,
    },
  ],
};

const envelopeOf = (more: object = {}) =>
  parseEnvelope({
    scope: 'org:acme',
    modality: 'conversation',
    content: { kind: 'message', role: 'user', text: 'hello' },
    ...more,
  });

describe('tags of an event', () => {
  it('name the caller as whoever is not named, and no field that is left out', () => {
    expect(tagsOf(envelopeOf(), 'user:a')).toEqual([
      tagOf('observed_actor', 'user:a'),
      tagOf('modality', 'conversation'),
      tagOf('caller', 'user:a'),
      tagOf('subject', 'user:a'),
    ]);
    expect(tagsOf(envelopeOf({ context: { labels: [] } }), 'user:a')).toHaveLength(4);
  });

  it('tell of every field that is there', () => {
    const envelope = envelopeOf({
      observed_actor: { id: 'user:b', session: 's1' },
      subject: { id: 'dog:rex' },
      language: 'en-us',
      source: SOURCE,
      context: { intent: 'ask', labels: ['x', 'y', 'x'], refers_to: { from: '2026-01-01' } },
    });
    expect(new Set(tagsOf(envelope, 'user:a'))).toEqual(
      new Set([
        tagOf('label', 'x'),
        tagOf('label', 'y'),
        tagOf('observed_actor', 'user:b'),
        tagOf('modality', 'conversation'),
        tagOf('intent', 'ask'),
        tagOf('caller', 'user:a'),
        tagOf('subject', 'dog:rex'),
        tagOf('language', 'en-US'),
        ...(['labels', 'intent', 'language', 'refers_to', 'session', 'source'] as const).map((field) =>
          tagOf('present', field),
        ),
      ]),
    );
    expect(new Set(tagsOf(envelope, 'user:a')).size).toBe(tagsOf(envelope, 'user:a').length);
  });

  it('are one full-text term each, of their field alone', () => {
    expect(tagOf('label', 'a AND (b)')).toMatch(/^l[0-9a-f]{12}$/);
    expect(tagOf('label', 'x').slice(1)).toBe(tagOf('subject', 'x').slice(1));
    expect(tagOf('label', 'x')).not.toBe(tagOf('subject', 'x'));
  });
});

describe('the token of a day', () => {
  it.each([
    ['2026-01-31T23:59:59.999Z', '20260131'],
    ['2026-02-01T00:30:00+01:00', '20260131'],
    ['0001-01-01T00:00:00Z', '00010101'],
    ['0001-01-01T00:00:00+14:00', '00010101'],
    ['9999-12-31T23:59:59-14:00', '99991231'],
  ])('of %s', (instant, day) => {
    expect(observedDay(Date.parse(instant))).toBe(`d${day}`);
    expect(recordedDay(Date.parse(instant))).toBe(`r${day}`);
  });

  it('stands in the order of time', () => {
    const instant = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        expect(observedDay(Math.min(a, b)) <= observedDay(Math.max(a, b))).toBe(true);
        expect(observedDay(a)).toMatch(/^d\d{8}$/);
      }),
    );
  });
});
