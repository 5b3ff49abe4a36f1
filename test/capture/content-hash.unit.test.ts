import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { contentHasher } from '../../src/capture/content-hash.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';

const KEY = 'a key of at least thirty-two characters';
const made = { id: 'evt_1', tenant: 'default', caller: 'user:local' };

/** The hash of what an event of these fields is stored with. */
function hashed(fields: Record<string, unknown>, key = KEY): string {
  const envelope = parseEnvelope({ scope: 'org:a', modality: 'observation', ...fields });
  return contentHasher(key)(toEventRecord(envelope, made).envelope);
}

const DATA = { b: [1, { d: null, c: 'ü' }], a: 1.5 };
const json = (data: unknown): Record<string, unknown> => ({ content: { kind: 'json', data } });

describe('the hash of a content', () => {
  it('is that of the content alone, whatever stands around it', () => {
    const plain = hashed(json(DATA));
    expect(plain).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const around = {
      modality: 'document',
      scope: 'org:b',
      idempotency_key: 'k',
      metadata: { note: 'x' },
      context: { labels: ['x'], observed_at: '2026-01-01T00:00:00Z' },
    };
    expect(hashed({ ...json(DATA), ...around })).toBe(plain);
    expect(hashed(json({ a: 1.5, b: [1, { c: 'ü', d: null }] }))).toBe(plain);
  });

  it('is another one of another content', () => {
    const others = [json({ ...DATA, a: 2 }), json([DATA]), { content: { kind: 'text', text: 'a' } }];
    expect(new Set([json(DATA), ...others].map((one) => hashed(one))).size).toBe(4);
  });

  it('cannot be told without the key', () => {
    const content = { kind: 'text', text: 'a' };
    const hash = hashed({ content });
    expect(hashed({ content }, `${KEY}!`)).not.toBe(hash);
    expect(
      createHash('sha256')
        .update(canonicalize(content) ?? '')
        .digest('base64url'),
    ).not.toBe(hash);
  });
});
