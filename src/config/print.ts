import { printPolicies, type Policies } from './policies.ts';
import type { Resolved } from './resolve.ts';
import { SETTING_KEYS, settingOf, type SettingKey } from './settings.ts';

const MASK = '********';

/** The settings in effect as TOML, each with its origin; secrets masked, what is not set as a comment. */
export function printSettings(resolved: Resolved & { readonly policies?: Policies }): string {
  const lines: string[] = [];
  let section = '';
  for (const key of SETTING_KEYS) {
    const [first = key, second] = key.split('.');
    const opened = second === undefined ? '' : first;
    if (opened !== section) lines.push('', `[${opened}]`);
    section = opened;
    lines.push(settingLine(key, second ?? first, resolved));
  }
  if (resolved.policies) lines.push(...printPolicies(resolved.policies));
  return `${lines.join('\n')}\n`;
}

function settingLine(key: SettingKey, name: string, { values, origins }: Resolved): string {
  const { secret, fallbackText } = settingOf(key);
  const value = values[key];
  const unset = value === undefined || (secret === true && value === '');
  if (unset) return `# ${name} is not set: ${fallbackText ?? 'none'}`;
  return `${name} = ${secret ? `"${MASK}"` : tomlValue(value)} # ${origins[key]}`;
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  // The JSON of texts, numbers and booleans is TOML as well.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, inner]) => `${name} = ${tomlValue(inner)}`);
  return `{ ${pairs.join(', ')} }`;
}
