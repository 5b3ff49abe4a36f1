import { flagOf, SETTING_KEYS, settingOf, type SettingKey } from '../config/settings.ts';
import type { ConfigInput } from '../config.ts';
import type { CliProcess, Command, Flags } from './command.ts';

/** The flag that names a configuration file. */
const FILE_OPTION = { config: { type: 'string' } } as const;

/** `--config` and the flags of settings, for `util.parseArgs`; all settings unless some are named. */
export function settingOptions(keys: readonly SettingKey[] = SETTING_KEYS): Command['options'] {
  const options: Command['options'] = { ...FILE_OPTION };
  for (const key of keys) {
    const flag = flagOf(key);
    if (flag !== null) options[flag] = { type: settingOf(key).kind.bare ? 'boolean' : 'string' };
  }
  return options;
}

/** Lines of help for {@link settingOptions}. */
export function settingHelp(keys: readonly SettingKey[] = SETTING_KEYS): string[] {
  const lines = keys.flatMap((key) => {
    const flag = flagOf(key);
    const { kind, description } = settingOf(key);
    return flag === null ? [] : [optionLine(kind.bare ? `--${flag}` : `--${flag} VALUE`, description)];
  });
  return [
    optionLine('--config FILE', 'Configuration file; default ./strata.toml where it exists.'),
    ...lines,
  ];
}

/** One line of help for a flag. */
export function optionLine(flag: string, description: string): string {
  return `  ${flag.padEnd(34)} ${description}`;
}

/** The sources of the configuration as a command line gives them. */
export function configInput(flags: Flags, host: CliProcess): ConfigInput {
  const file = flags.config;
  const single = Object.entries(flags).filter(
    (entry): entry is [string, string | boolean] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
  );
  return {
    environment: host.environment,
    flags: Object.fromEntries(single),
    file: typeof file === 'string' ? file : undefined,
    directory: host.directory,
  };
}
