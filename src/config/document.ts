import { SETTING_KEYS, flagOf, settingOf, type SettingKey } from './settings.ts';

/** The table of all settings in Markdown, as docs/reference/configuration.md has it; a test holds the two equal. */
export function settingsTable(): string {
  const rows = SETTING_KEYS.map((key) => `| ${cells(key).join(' | ')} |`);
  return [
    '| `strata.toml` | Variable | Default | Allowed | Meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function cells(key: SettingKey): string[] {
  const { env, alias, kind, fallback, fallbackText, unit, description } = settingOf(key);
  const value = fallbackText ?? (fallback === undefined ? 'none' : `\`${written(fallback)}\``);
  const withUnit = unit === undefined || fallbackText !== undefined ? value : `${value} ${unit}`;
  const flag = flagOf(key) === null ? ' No flag: arguments are readable by every user.' : '';
  const names = [env, ...(alias === undefined ? [] : [alias])].map((name) => `\`${name}\``).join(' or ');
  return [`\`${key}\``, names, withUnit, kind.allowed, `${description}${flag}`].map((cell) =>
    cell.replaceAll('|', '\\|'),
  );
}

function written(value: unknown): string {
  return Array.isArray(value) ? value.join(',') || '(empty list)' : String(value);
}
