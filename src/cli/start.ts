import { loadConfig } from '../config.ts';
import { EXIT, type Command } from './command.ts';
import { configInput, optionLine, settingHelp, settingOptions } from './setting-flags.ts';

/** `strata start`: runs the service until a signal stops it. */
export const startCommand: Command = {
  name: 'start',
  arguments: [],
  summary: 'Start the service, and a Neo4j of its own unless NEO4J_URI names one.',
  options: {
    ...settingOptions(),
    'accept-key': { type: 'boolean' },
    throwaway: { type: 'boolean' },
  },
  optionHelp: [
    ...settingHelp(),
    optionLine(
      '--accept-key',
      'Make the present keys (operator, signing, suppression) those that the database belongs to.',
    ),
    optionLine(
      '--throwaway',
      'Run the managed Neo4j with settings for trials: quick to start, slower to work.',
    ),
  ],
  async run({ flags }, host) {
    const config = loadConfig(configInput(flags, host));
    // Loaded here, so that the other commands do not pay for the service.
    const { runService } = await import('../main.ts');
    await runService(config, {
      environment: host.environment,
      acceptKey: flags['accept-key'] === true,
      profile: flags.throwaway === true ? 'throwaway' : 'production',
      say: (line) => host.stdout.write(`${line}\n`),
    });
    return EXIT.ok;
  },
};
