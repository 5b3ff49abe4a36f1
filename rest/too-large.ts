import { StrataError } from '../src/errors.ts';
import { GZIP_FREE_BYTES, MAX_GZIP_RATIO } from '../src/limits/bodies.ts';

/** The refusal of a body of more than so many bytes. */
export function tooLarge(limitBytes: number): StrataError {
  return new StrataError('PAYLOAD_TOO_LARGE', `the body exceeds ${limitBytes} bytes`, {
    details: { limit_bytes: limitBytes },
  });
}

/** The refusal of a packed body that unpacks to too much for its size. */
export function tooDense(): StrataError {
  return new StrataError(
    'PAYLOAD_TOO_LARGE',
    `the body unpacks to more than ${GZIP_FREE_BYTES} bytes and ${MAX_GZIP_RATIO} times its packed size; send it unpacked, or in parts`,
    { details: { reason: 'gzip_ratio', limit: MAX_GZIP_RATIO } },
  );
}
