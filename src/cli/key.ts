import { loadConfig } from '../config.ts';
import { loadOperatorKey } from '../operator-key.ts';
import { EXIT, type Command } from './command.ts';
import { configInput, settingHelp, settingOptions } from './setting-flags.ts';

/** `strata key`: prints the operator key in effect, alone on standard output so that scripts can take it. */
export const keyCommand: Command = {
  name: 'key',
  arguments: [],
  summary: 'Print the operator key that callers send as bearer.',
  options: settingOptions(['data_dir']),
  optionHelp: settingHelp(['data_dir']),
  run({ flags }, host) {
    const config = loadConfig(configInput(flags, host));
    const stored = config.access.apiKey ?? loadOperatorKey(config.dataDir);
    if (config.access.open)
      host.stderr.write('The service is open (STRATA_INSECURE_NO_AUTH): no key is asked for.\n');
    if (config.access.apiKey !== null)
      host.stderr.write('The key comes from STRATA_API_KEY or strata.toml.\n');
    if (stored !== null) host.stdout.write(`${stored}\n`);
    else host.stderr.write(`No key is stored in ${config.dataDir} yet; \`strata start\` makes one.\n`);
    return Promise.resolve(stored === null ? EXIT.refused : EXIT.ok);
  },
};
