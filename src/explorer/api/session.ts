import { computed, signal } from '@preact/signals';

import { now } from '../clock.ts';
import type { Refusal } from './errors.ts';
import { WHOAMI, type Whoami } from './queries.ts';
import { send, type Outcome } from './send.ts';

/** Who uses the page. */
export type Session =
  /** Nobody was asked for yet. */
  | { readonly is: 'beginning' }
  /** The service asks for a key or token; `why` tells what became of the last one. */
  | { readonly is: 'out'; readonly why: Refusal | null }
  /** The credential ended while the page was in use: what is on it stays, and goes on after the next sign-in. */
  | { readonly is: 'ended'; readonly who: Whoami; readonly why: Refusal }
  | { readonly is: 'in'; readonly who: Whoami };

/** Kept for the tab and its life only. */
const KEPT_AS = 'strata.credential';
/** Least time between two questions whether the credential has ended. */
const ASK_AGAIN_MS = 10_000;
/** What a timer can wait for. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What the issuer of a caller is called where the service asks for no key. */
const NO_AUTH = 'auth-disabled';

/** Who uses the page. */
export const session = signal<Session>({ is: 'beginning' });

/** Whose page it is, as one text: of two callers never the same; null where nobody is in. */
export const caller = computed(() => ('who' in session.value ? callerOf(session.value.who) : null));

let currentVisit = new AbortController();

/** Aborted when the page goes over to another caller or to nobody: nothing that was begun before goes on after that. */
export function visit(): AbortSignal {
  return currentVisit.signal;
}

/** The key or token of the tab; null without one. */
export function credential(): string | null {
  return sessionStorage.getItem(KEPT_AS);
}

/** Whether the service lets everybody in, so that there is nothing to sign out of. */
export function isOpen(who: Whoami): boolean {
  return who.token.iss === NO_AUTH;
}

/** Finds out who uses the page: by the credential of the tab, or without one where the service asks for none. */
export async function begin(signal: AbortSignal): Promise<Outcome<unknown>> {
  const kept = credential();
  const outcome = await send(WHOAMI, {}, { credential: kept, signal });
  if (outcome.is === 'answered') enter(outcome.data.whoami);
  if (outcome.is === 'stranger') session.value = { is: 'out', why: kept === null ? null : outcome.refusal };
  return outcome;
}

/** Tries a key or token; answers why it was refused, null where it was not. */
export async function signIn(given: string, signal: AbortSignal): Promise<Refusal | null> {
  const outcome = await send(WHOAMI, {}, { credential: given, signal });
  if (outcome.is !== 'answered') return outcome.refusal;
  sessionStorage.setItem(KEPT_AS, given);
  enter(outcome.data.whoami);
  return null;
}

let ending: ReturnType<typeof setTimeout> | undefined;

function callerOf({ tenantId, caller: actor }: Whoami): string {
  return JSON.stringify([tenantId, actor]);
}

function endVisit(): void {
  const ended = currentVisit;
  currentVisit = new AbortController();
  ended.abort();
}

/** Is in until the credential ends: a page that rests asks nothing, and would not learn of it. */
function enter(who: Whoami): void {
  const before = caller.peek();
  if (before !== null && before !== callerOf(who)) endVisit();
  session.value = { is: 'in', who };
  clearTimeout(ending);
  const left = Math.max(Date.parse(who.expiresAt) - now(), ASK_AGAIN_MS);
  if (left <= LONGEST_TIMER_MS) ending = setTimeout(() => void askAgain(), left);
}

/** Asks whether the credential has ended. The clock of the service decides; one that is away is asked later. */
async function askAgain(): Promise<void> {
  const before = session.peek();
  if (before.is !== 'in') return;
  const kept = credential();
  const outcome = await send(WHOAMI, {}, { credential: kept, signal: new AbortController().signal });
  if (session.peek() !== before || credential() !== kept) return;
  if (outcome.is === 'stranger') session.value = { is: 'ended', who: before.who, why: outcome.refusal };
  else enter(outcome.is === 'answered' ? outcome.data.whoami : before.who);
}

/** Forgets the key or token of the tab. */
export function signOut(): void {
  clearTimeout(ending);
  endVisit();
  sessionStorage.removeItem(KEPT_AS);
  session.value = { is: 'out', why: null };
}

/**
 * The credential is refused: asks for another one, and resolves when there is one of the same caller. Rejects where another caller signs
 * in, or `signal` is aborted.
 */
export function renewed(why: Refusal, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const before = session.peek();
  if (before.is === 'in') session.value = { is: 'ended', who: before.who, why };
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const unsubscribe = session.subscribe((value) => {
      if (value.is !== 'in') return;
      over.abort();
      resolve();
    });
    over.signal.addEventListener('abort', unsubscribe, { once: true });
    for (const end of [signal, visit()])
      end.addEventListener(
        'abort',
        () => {
          over.abort();
          reject(end.reason as Error);
        },
        { signal: over.signal },
      );
  });
}
