import type { KnownKey } from '../access/token-state.ts';
import type { Clock } from '../clock.ts';
import { readVerifyingKey, type SigningKey, type VerifyingKey } from './key.ts';

/** An issuer beside ourselves whose tokens are taken. */
export interface TrustedIssuer {
  /** What `iss` has to be. */
  readonly iss: string;
  /** What its footers call its key. */
  readonly kid: string;
  /** `k4.public.…`. */
  readonly public_key: string;
  /** What `aud` has to be. */
  readonly audience: string;
  /** The tenant that its tokens belong to. */
  readonly tenant: string;
}

/** Whom a key belongs to: ourselves, or issuers that are trusted. */
export type KeyOwner = 'own' | readonly TrustedIssuer[];

/** The keys of a process: those that it holds, those of other processes of the deployment, those of trusted issuers. */
export class KeyRing {
  readonly #held: readonly SigningKey[];
  readonly #clock: Clock;
  readonly #own = new Map<string, KnownKey>();
  readonly #trusted = new Map<string, TrustedIssuer[]>();
  readonly #read = new Map<string, Promise<VerifyingKey>>();

  /** `held`: the secret keys of this process, newest first. */
  constructor(held: readonly SigningKey[], issuers: readonly TrustedIssuer[], clock: Clock) {
    this.#held = held;
    this.#clock = clock;
    for (const issuer of issuers) {
      this.#trusted.set(issuer.kid, [...(this.#trusted.get(issuer.kid) ?? []), issuer]);
    }
  }

  /** Takes up what became of the keys of the deployment. */
  learn(keys: readonly KnownKey[]): void {
    for (const key of keys) this.#own.set(key.kid, key);
  }

  /** Whom a key belongs to; null where no signature of it is good now. */
  ownerOf(kid: string): KeyOwner | null {
    const known = this.#own.get(kid);
    if (known !== undefined) return this.#isGood(known) ? 'own' : null;
    return this.#trusted.get(kid) ?? null;
  }

  /** The key of a name; null where no signature of it is good now. */
  async keyOf(kid: string | null): Promise<VerifyingKey | null> {
    const owner = kid === null ? null : this.ownerOf(kid);
    if (kid === null || owner === null) return null;
    const text = owner === 'own' ? this.#own.get(kid)?.public_key : owner[0]?.public_key;
    if (text === undefined) return null;
    const reading = this.#read.get(text) ?? readVerifyingKey(kid, text);
    this.#read.set(text, reading);
    return reading;
  }

  /**
   * The key to sign with, and until when its signatures are good (epoch milliseconds, null for no end): the active one where
   * this process holds it, else one of its own that is not retired yet. Null where there is none.
   */
  signer(): { readonly key: SigningKey; readonly until: number | null } | null {
    const usable = this.#held.flatMap((key) => {
      const known = this.#own.get(key.kid);
      return known !== undefined && this.#isGood(known) ? [{ key, known }] : [];
    });
    const chosen = usable.find(({ known }) => known.active) ?? usable[0];
    return chosen === undefined ? null : { key: chosen.key, until: chosen.known.retires_at };
  }

  #isGood({ active, retires_at }: KnownKey): boolean {
    return active || (retires_at !== null && retires_at > this.#clock.now());
  }
}
