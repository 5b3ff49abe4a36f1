import { isIP } from 'node:net';

import { z } from 'zod';

import { errorText } from '../errors.ts';
import { PUBLIC_KEY_TEXT } from '../tokens/key.ts';

/** What a tenant id looks like. */
export const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Entries of a list at most. */
const MAX_LIST_ENTRIES = 1000;
/** Trusted issuers at most. */
const MAX_ISSUERS = 100;

/** How one sort of value is read, whether it comes as text (environment, flags) or typed (file). */
export interface Kind<Value> {
  /** Takes the value of the file or the text of a variable or flag. */
  readonly schema: z.ZodType<Value>;
  /** What is allowed, for refusals and for the documentation. */
  readonly allowed: string;
  /** True for an on/off setting: its flag stands alone. */
  readonly bare: boolean;
}

function kind<Value>(schema: z.ZodType<Value>, allowed: string, bare = false): Kind<Value> {
  return { schema, allowed, bare };
}

/** A text that matches a pattern. */
export function text(pattern: RegExp, allowed: string): Kind<string> {
  return kind(z.string().regex(pattern), allowed);
}

/** A whole number within bounds, both included. */
export function integer(bounds: { min: number; max: number }): Kind<number> {
  const written = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number);
  return kind(
    z.union([z.int(), written]).pipe(z.int().min(bounds.min).max(bounds.max)),
    `an integer from ${bounds.min} to ${bounds.max}`,
  );
}

/** A share from 0 to 1, both included. */
export function share(): Kind<number> {
  const written = z
    .string()
    .regex(/^(0|1|0?\.\d{1,6}|1\.0{1,6})$/)
    .transform(Number);
  return kind(z.union([z.number(), written]).pipe(z.number().min(0).max(1)), 'a number from 0 to 1');
}

/** On or off. */
export function toggle(): Kind<boolean> {
  const written = z.enum(['1', '0', 'true', 'false']).transform((value) => value === '1' || value === 'true');
  return kind(z.union([z.boolean(), written]), 'true, false, 1 or 0', true);
}

/** One of a closed set of words. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return kind(z.enum(words), words.join(' | '));
}

/** A list of texts, each matching `item`: an array in the file, separated by commas elsewhere. */
export function list(item: RegExp, allowed: string): Kind<readonly string[]> {
  const written = z.string().transform((value) => value.split(',').map((part) => part.trim()));
  return kind(
    z.union([z.array(z.string()), written]).pipe(z.array(z.string().regex(item)).max(MAX_LIST_ENTRIES)),
    `a list of at most ${MAX_LIST_ENTRIES} ${allowed}, separated by commas`,
  );
}

/** An issuer beside ourselves whose tokens are taken. */
export interface IssuerSetting {
  readonly iss: string;
  readonly kid: string;
  readonly public_key: string;
  readonly audience: string;
  readonly tenant: string;
}

const word = z.string().min(1).max(256);
const issuer = z.strictObject({
  iss: word,
  kid: word,
  public_key: z.string().regex(PUBLIC_KEY_TEXT),
  audience: word,
  tenant: z.string().regex(TENANT_ID),
});

/** A list of issuers: tables in the file, a JSON list elsewhere. One `kid` has one key, and one audience for each issuer. */
export function issuers(): Kind<readonly IssuerSetting[]> {
  const written = z.string().transform((value, context): unknown => {
    try {
      return JSON.parse(value) as unknown;
    } catch (cause) {
      context.addIssue({ code: 'custom', message: errorText(cause) });
      return z.NEVER;
    }
  });
  const read = z.array(issuer).max(MAX_ISSUERS).refine(areGiven);
  return kind(
    z.union([z.array(z.unknown()), written]).pipe(read),
    `a JSON list (in the file, tables) of at most ${MAX_ISSUERS} {iss, kid, public_key (k4.public.…), audience, tenant}; a kid stands for one key`,
  );
}

function areGiven(list: readonly IssuerSetting[]): boolean {
  const keys = new Set(list.map(({ kid, public_key }) => `${kid}\n${public_key}`));
  const places = new Set(list.map(({ kid, iss, audience }) => `${kid}\n${iss}\n${audience}`));
  return keys.size === new Set(list.map(({ kid }) => kid)).size && places.size === list.length;
}

/** An amount of memory as Neo4j and Java write it: 512m, 2g. */
export function memory(): Kind<string> {
  return kind(z.string().regex(/^[1-9]\d{0,6}[kmg]$/), 'an amount of memory such as 512m or 2g');
}

/** Whose forwarded addresses are believed: nobody, so many hops, or named networks. */
export type TrustProxy = false | number | readonly string[];

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isNetwork(value: string): boolean {
  if (NAMED_NETWORKS.has(value)) return true;
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

function readTrust(value: boolean | number | string | string[]): TrustProxy | null {
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 && value <= 16 ? value : null;
  if (typeof value === 'boolean') return null;
  if (typeof value === 'string' && /^\d+$/.test(value)) return readTrust(Number(value));
  const networks = (typeof value === 'string' ? value.split(',') : value).map((part) => part.trim());
  return networks.length > 0 && networks.every(isNetwork) ? networks : null;
}

/** Nobody (false), a number of hops, or a list of addresses and networks; everybody is not on offer. */
export function trust(): Kind<TrustProxy> {
  const schema = z
    .union([z.boolean(), z.number(), z.string(), z.array(z.string())])
    .transform((value, context): TrustProxy => {
      const read = readTrust(value);
      if (read !== null) return read;
      context.addIssue({ code: 'custom', message: 'not allowed' });
      return z.NEVER;
    });
  return kind(
    schema,
    'false, a number of hops from 1 to 16, or a list of addresses, networks (10.0.0.0/8), loopback, linklocal, uniquelocal',
  );
}
