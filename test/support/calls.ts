import type { Principal } from '../../src/access/principal.ts';
import type { Call } from '../../src/services/access.ts';
import { holder, OPERATOR } from './principals.ts';

/** A call as a transport would make it. */
export function callOf(principal: Principal): Call {
  return { principal, requestId: 'req_test', signal: new AbortController().signal };
}

/** A call of whoever holds a token of an actor. */
export function callBy(actor: string, narrowed: Partial<Principal> = {}): Call {
  return callOf(holder(actor, narrowed));
}

/** A call with the operator key. */
export const BY_OPERATOR: Call = callOf(OPERATOR);

/** The code of the refusal that work ends with; `done` when it does not. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
