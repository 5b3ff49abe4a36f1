import type { SigningKeyStore } from '../../graph/token.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { errorText, StartupError } from '../errors.ts';
import { TOKEN_SKEW_S } from '../limits.ts';
import type { Log } from '../log.ts';
import type { AccessFeed } from '../services/access-feed.ts';
import { CallerWatch } from '../services/caller-watch.ts';
import { LONGEST_LIFE_S } from '../services/token.ts';
import { ensureTokenKeys, loadTokenKeys } from '../tokens/key-file.ts';
import { KeyRing } from '../tokens/key-ring.ts';
import { readSigningKey, readVerifyingKey, type SigningKey } from '../tokens/key.ts';
import { Revocations } from '../tokens/revocations.ts';

/**
 * The signing keys that this process holds, the first being the one that the deployment signs with from now on, unless the
 * former is not held; with `replace` also then. They are generated when there is neither a key here nor one that the database knows, or
 * that is to be replaced.
 *
 * @throws StartupError when the database knows a signing key that is not held here, or a key cannot be read.
 */
export async function agreeOnTokenKeys(
  store: SigningKeyStore,
  { tokens, dataDir }: Config,
  clock: Clock,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<SigningKey[]> {
  for (const { kid, public_key } of tokens.trustedIssuers) {
    await readable('STRATA_TRUSTED_ISSUERS', readVerifyingKey(kid, public_key));
  }
  const former = await store.active();
  const texts = tokens.secretKeys ?? (await storedKeys(dataDir, { mayMake: former === null || replace }));
  const held = await Promise.all(
    texts.map((text) => readable('STRATA_TOKEN_SECRET_KEY', readSigningKey(text))),
  );
  const [first] = held;
  const kids = held.map(({ kid }) => kid);
  const now = clock.now();
  const retiresAt = now + (LONGEST_LIFE_S + TOKEN_SKEW_S) * 1000;
  if (first !== undefined) {
    const key = { kid: first.kid, public_key: first.text };
    const known = replace && former !== null ? [...kids, former] : kids;
    const active = await store.activate(key, known, { now, retiresAt });
    if (active === first.kid) return held;
  }
  throw new StartupError(
    'This database signs its tokens with a key that this process does not hold, and all processes on it must hold the same one. ' +
      'Set STRATA_TOKEN_SECRET_KEY to that key (the file token-key in the data directory of the process that made it), or behind a new one to replace it. ' +
      'Where it is lost, start once with --accept-key: a new one signs from then on.',
  );
}

/** Stored keys; none are made where the database has one that stays, since a start that is refused should leave nothing behind. */
async function storedKeys(dataDir: string, { mayMake }: { readonly mayMake: boolean }): Promise<string[]> {
  const stored = loadTokenKeys(dataDir);
  return stored.length > 0 || !mayMake ? stored : ensureTokenKeys(dataDir);
}

async function readable<Key>(setting: string, reading: Promise<Key>): Promise<Key> {
  try {
    return await reading;
  } catch (error) {
    throw new StartupError(`a key of ${setting} is none: ${errorText(error)}`, { cause: error });
  }
}

/** What a process knows of tokens: its keys, what was revoked, and whose streams and sockets end with their tokens. */
export interface TokenState {
  readonly keys: KeyRing;
  readonly revocations: Revocations;
  readonly callers: CallerWatch;
}

/** Builds it, following the feed. */
export function createTokenState(
  held: readonly SigningKey[],
  { config, clock, log, feed }: { config: Config; clock: Clock; log: Log; feed: AccessFeed },
): TokenState {
  const keys = new KeyRing(held, config.tokens.trustedIssuers, clock);
  const revocations = new Revocations();
  const callers = new CallerWatch({ revocations, clock, log });
  feed.listen(({ keys: changed, revoked }) => {
    keys.learn(changed);
    revocations.add(revoked);
    if (revoked.length > 0) callers.look();
  });
  return { keys, revocations, callers };
}
