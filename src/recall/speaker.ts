import type { Content } from '../../schemas/content.ts';

/** Who says what an event says, by the name behind the first colon of the actor; null where it is no message, and nobody says it. */
export function speakerOf(kind: Content['kind'], actor: string): string | null {
  return kind === 'message' ? actor.slice(actor.indexOf(':') + 1) : null;
}
