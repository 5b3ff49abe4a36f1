import { isIPv6 } from 'node:net';

import { CLIENT_SCOPE_TYPES, CONTRACT_SCOPE_TYPES } from '../../schemas/scope.ts';
import { StartupError } from '../errors.ts';
import { SETTING_KEYS, settingOf, type SettingKey, type SettingValues } from './settings.ts';
import type { Given, GivenValues, Origin } from './sources.ts';

/** Every setting with its value and where that came from. */
export interface Resolved {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingKey, Origin>>;
}

/**
 * One value for each setting: the last source that gives one wins, else the default.
 *
 * @throws StartupError naming key or variable and what is allowed; the value itself is not repeated when secret.
 */
export function resolveSettings(sources: readonly GivenValues[]): Resolved {
  const values: Partial<Record<SettingKey, unknown>> = {};
  const origins: Partial<Record<SettingKey, Origin>> = {};
  for (const key of SETTING_KEYS) {
    const checked = sources.flatMap((source) => {
      const given = source.get(key);
      return given === undefined ? [] : [{ value: check(key, given), origin: given.origin }];
    });
    const winner = checked.at(-1) ?? { value: settingOf(key).fallback, origin: 'default' };
    values[key] = winner.value;
    origins[key] = winner.origin;
  }
  return {
    values: withDerived(values as SettingValues),
    origins: origins as Record<SettingKey, Origin>,
  };
}

function check(key: SettingKey, given: Given): unknown {
  const { kind, secret } = settingOf(key);
  const outcome = kind.schema.safeParse(given.value);
  if (outcome.success) return outcome.data;
  const shown = secret ? 'the value given' : withoutCredentials(JSON.stringify(given.value)).slice(0, 200);
  throw new StartupError(`${given.name} must be ${kind.allowed}; ${shown} is not`);
}

/** A URI with a password in it is a mistake that is shown, but its password is not. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//***@');
}

function withDerived(values: SettingValues): SettingValues {
  const preset = values.deployment_preset ?? (values.insecure_no_auth ? 'auth_disabled' : 'dev_local');
  const open = preset === 'dev_local' || preset === 'auth_disabled';
  return {
    ...values,
    deployment_preset: preset,
    allowed_scope_types: values.allowed_scope_types ?? [
      ...CONTRACT_SCOPE_TYPES,
      ...(open ? CLIENT_SCOPE_TYPES : []),
    ],
  };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  if (isIPv6(host)) return /^(0*:)*:?0*1$|^::ffff:127\./i.test(host);
  return host.toLowerCase() === 'localhost' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Refuses settings that are sound one by one and not together.
 *
 * @throws StartupError naming the settings at odds.
 */
export function refuseContradictions(values: SettingValues): void {
  if (values.insecure_no_auth && !values.insecure_bind_all && !isLoopback(values.host)) {
    throw new StartupError(
      `STRATA_INSECURE_NO_AUTH serves anybody who can connect, and ${values.host} is not a loopback address: ` +
        'listen on 127.0.0.1, remove it so that a key is asked for, or set STRATA_INSECURE_BIND_ALL=1 as well',
    );
  }
  if (values.insecure_no_auth !== (values.deployment_preset === 'auth_disabled')) {
    throw new StartupError(
      'STRATA_DEPLOYMENT_PRESET auth_disabled and STRATA_INSECURE_NO_AUTH go together: ' +
        'set both or neither (leaving the preset out follows the other)',
    );
  }
}
