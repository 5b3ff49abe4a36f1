import { z } from 'zod';

import { nameText } from './text.ts';

/** An actor id is 1 to 256 visible characters without spaces, such as `user:priya@acme.com`. */
export const ACTOR_ID = /^[^\s\p{C}]{1,256}$/u;

export const actorId = z
  .string()
  .regex(ACTOR_ID, 'is not 1 to 256 visible characters without spaces')
  .describe('Actor id: 1 to 256 visible characters without spaces.');

/** Who performed an experience, as the caller states it. */
export const observedActor = z.strictObject({
  id: actorId,
  type: nameText(64)
    .optional()
    .describe('Kind of actor; taken from the id up to its first colon when left out.'),
  session: nameText(256).optional().describe('Session that the experience belongs to.'),
});

/** Who or what a memory is about. */
export const subjectRef = z.strictObject({
  id: nameText(256),
  type: nameText(64)
    .optional()
    .describe('Kind of subject; taken from the id up to its first colon when left out.'),
});

/** The kind that an id names: what stands before its first colon, else `actor`. */
export function typeOfId(id: string): string {
  const colon = id.indexOf(':');
  return colon > 0 ? id.slice(0, colon) : 'actor';
}
