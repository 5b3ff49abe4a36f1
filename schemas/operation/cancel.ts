import { z } from 'zod';

/** Body of a cancel: nothing is to be said. */
export const cancelRequest = z.strictObject({}).describe('An empty object.');

/** How a cancel is answered whose body is labelled JSON and empty. */
export const EMPTY_JSON = {
  code: 'INVALID_BODY',
  status: 400,
  when: 'The body is labelled JSON and is empty.',
} as const;
