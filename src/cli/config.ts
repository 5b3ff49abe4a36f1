import { printSettings } from '../config/print.ts';
import { loadSettings } from '../config.ts';
import { EXIT, type Command } from './command.ts';
import { configInput, settingHelp, settingOptions } from './setting-flags.ts';

/** `strata config`: prints what `strata start` would run with. */
export const configCommand: Command = {
  name: 'config',
  arguments: [],
  summary: 'Print the configuration in effect and where each value comes from; secrets are masked.',
  options: settingOptions(),
  optionHelp: settingHelp(),
  run({ flags }, host) {
    host.stdout.write(printSettings(loadSettings(configInput(flags, host))));
    return Promise.resolve(EXIT.ok);
  },
};
