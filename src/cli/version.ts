import { SERVICE_VERSION } from '../version.ts';
import { EXIT, type Command } from './command.ts';

/** `strata version`: prints the version. */
export const versionCommand: Command = {
  name: 'version',
  arguments: [],
  summary: 'Print the version.',
  options: {},
  optionHelp: [],
  run(_given, host) {
    host.stdout.write(`strata ${SERVICE_VERSION}\n`);
    return Promise.resolve(EXIT.ok);
  },
};
