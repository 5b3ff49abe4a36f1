import { createHash } from 'node:crypto';

import { PublicProtocol } from 'paseto';
import {
  ExportPublicKeyFactory,
  ExportSecretKeyFactory,
  GenerateKeyPairFactory,
  GetPublicKeyFactory,
  ImportPublicKeyFactory,
  ImportSecretKeyFactory,
  type PublicKey,
  type SecretKey,
} from 'paseto/v4/public';

const paserk = new PublicProtocol(
  GenerateKeyPairFactory,
  GetPublicKeyFactory,
  ImportPublicKeyFactory,
  ImportSecretKeyFactory,
  ExportPublicKeyFactory,
  ExportSecretKeyFactory,
);

/** What the text of a secret key looks like. */
export const SECRET_KEY_TEXT = /^k4\.secret\.[A-Za-z0-9_-]{86}$/;
/** What the text of a public key looks like. */
export const PUBLIC_KEY_TEXT = /^k4\.public\.[A-Za-z0-9_-]{43}$/;

/** A key that signatures are checked with. */
export interface VerifyingKey {
  /** What footers name it by. */
  readonly kid: string;
  /** `k4.public.…`. */
  readonly text: string;
  readonly key: PublicKey;
}

/** A key that signs, with the one that its signatures are checked with. */
export interface SigningKey extends VerifyingKey {
  readonly secret: SecretKey;
}

/** The name of a key of our own: `sk_` and 24 hex digits of the SHA-256 of its public text. */
export function kidOf(publicText: string): string {
  return `sk_${createHash('sha256').update(publicText, 'utf8').digest('hex').slice(0, 24)}`;
}

/** Reads `k4.secret.…`. Rejects when the text is none, or its two halves do not belong together. */
export async function readSigningKey(secretText: string): Promise<SigningKey> {
  const secret = await paserk.ImportSecretKey(secretText as `k4.secret.${string}`);
  const key = await paserk.GetPublicKey(secret);
  const text = await paserk.ExportPublicKey(key);
  return { kid: kidOf(text), text, key, secret };
}

/** Reads `k4.public.…`, under the name that footers give it. Rejects when the text is none. */
export async function readVerifyingKey(kid: string, publicText: string): Promise<VerifyingKey> {
  const key = await paserk.ImportPublicKey(publicText as `k4.public.${string}`);
  return { kid, text: publicText, key };
}

/** A new secret key as `k4.secret.…`. */
export async function newSecretKey(): Promise<string> {
  const { secretKey } = await paserk.GenerateKeyPair({ extractable: true });
  return paserk.ExportSecretKey(secretKey);
}
