import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { parse } from 'smol-toml';

import { errorText, StartupError } from '../errors.ts';
import { NO_POLICIES, readPolicies, type Policies } from './policies.ts';
import { flagOf, SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';
import { clusterModeUnsupported } from './unsupported.ts';

/** Where the value of a setting came from. */
export type Origin = 'default' | 'file' | 'env' | 'flag';

/** A value as it was given, before it is checked. */
export interface Given {
  readonly value: unknown;
  readonly origin: Origin;
  /** How the giver named it: `http.port in strata.toml`, `STRATA_PORT`, `--port`. */
  readonly name: string;
}

/** What was given for each setting by one source. */
export type GivenValues = ReadonlyMap<SettingKey, Given>;

/** The file that is read when it exists and none is named. */
export const DEFAULT_FILE = 'strata.toml';

const VARIABLES = new Map(
  SETTING_KEYS.flatMap((key): [string, SettingKey][] => {
    const { env, alias } = settingOf(key);
    return [[env, key], ...(alias === undefined ? [] : [[alias, key] as [string, SettingKey]])];
  }),
);

/** What a configuration file says. */
export interface FileValues {
  readonly settings: GivenValues;
  readonly policies: Policies;
}

/**
 * What a configuration file says; none named and no `strata.toml` in the directory says nothing.
 *
 * @throws StartupError when it cannot be read, is no TOML, or has a key that is no setting and no policy.
 */
export function fromFile(named: string | undefined, directory: string): FileValues {
  const path = resolve(directory, named ?? DEFAULT_FILE);
  const text = readText(path, named !== undefined);
  if (text === null) return { settings: new Map(), policies: NO_POLICIES };
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch (error) {
    throw new StartupError(`${path} is not TOML: ${errorText(error)}`, { cause: error });
  }
  const label = named ?? DEFAULT_FILE;
  const { policy, ...rest } = document;
  const settings = new Map(
    flatten(rest, '').map(([key, value]) => [
      knownKey(key, label),
      { value, origin: 'file' as const, name: `${key} in ${label}` },
    ]),
  );
  return { settings, policies: readPolicies(policy, label) };
}

function readText(path: string, required: boolean): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!required && (error as { code?: string }).code === 'ENOENT') return null;
    throw new StartupError(`the configuration file ${path} cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toISOString' in value);
}

function flatten(table: Record<string, unknown>, prefix: string): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    return isTable(value) && !isSetting(key) ? flatten(value, `${key}.`) : [[key, value]];
  });
}

function isSetting(key: string): key is SettingKey {
  return (SETTING_KEYS as readonly string[]).includes(key);
}

function knownKey(key: string, label: string): SettingKey {
  if (isSetting(key)) return key;
  if (/^cluster(?:[._]|$)/.test(key)) throw clusterModeUnsupported(`${key} in ${label}`);
  throw new StartupError(`${label} has the unknown key ${key}; allowed are: ${SETTING_KEYS.join(', ')}`);
}

/**
 * The settings of the environment. An empty variable counts as not set, so that compose files can pass optional ones; but
 * for the one that says by being empty that a lane is off.
 *
 * @throws StartupError on a `STRATA_*` variable that is no setting; on one of a cluster as the contract has it.
 */
export function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): GivenValues {
  const given = new Map<SettingKey, Given>();
  for (const [name, value] of Object.entries(environment)) {
    const key = VARIABLES.get(name);
    if (key === undefined && name.startsWith('STRATA_CLUSTER')) throw clusterModeUnsupported(name);
    if (key === undefined && name.startsWith('STRATA_')) {
      const known = [...VARIABLES.keys()].filter((variable) => variable.startsWith('STRATA_'));
      throw new StartupError(`the variable ${name} is not known; allowed are: ${known.join(', ')}`);
    }
    if (key === undefined || value === undefined) continue;
    const isGiven = value !== '' || settingOf(key).emptyCounts === true;
    if (isGiven && (name === settingOf(key).env || !given.has(key)))
      given.set(key, { value, origin: 'env', name });
  }
  return given;
}

/** The settings of command-line flags, by flag name without dashes; names that are no setting are left alone. */
export function fromFlags(flags: Readonly<Record<string, string | boolean | undefined>>): GivenValues {
  const given = new Map<SettingKey, Given>();
  for (const key of SETTING_KEYS) {
    const flag = flagOf(key);
    const value = flag === null ? undefined : flags[flag];
    if (flag !== null && value !== undefined) given.set(key, { value, origin: 'flag', name: `--${flag}` });
  }
  return given;
}
