import { createHash } from 'node:crypto';

import { requestHasher } from '../../src/audit/request-hash.ts';

const body = '{"scope":"user:mira"}';
const plain = createHash('sha256').update(body).digest('hex');
const hash = requestHasher('k'.repeat(43));

it('is one hash of a body, whether its text or its digest is at hand, and no plain one', () => {
  expect(hash.ofBody(body)).toEqual({ keyed: hash.ofDigest(plain), plain });
  expect(hash.ofDigest(plain)).toMatch(/^[0-9a-f]{64}$/);
  expect(hash.ofDigest(plain)).not.toBe(plain);
});

it('cannot be made without the key', () => {
  expect(requestHasher('l'.repeat(43)).ofDigest(plain)).not.toBe(hash.ofDigest(plain));
});
