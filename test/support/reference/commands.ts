import { COMMANDS } from '../../../src/cli/run.ts';
import { settingHelp } from '../../../src/cli/setting-flags.ts';
import { EXIT, type Command } from '../../../src/cli/command.ts';
import { table } from './table.ts';

const HELP_LINE = /^ {2}(--\S+(?: \S+)?) +(.+)$/;
/** What several exit codes are for; a test holds the names equal to those of the code. */
const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  refused: 'the work is done, and some of it was refused; or what was looked for was found',
  unreachable: 'the service cannot be reached, or does not take the key',
  usage: 'unknown command, flag or argument; the help is printed',
  fault: 'a fault of the program',
  interrupted: 'ended by Ctrl-C',
};

/** Every command with its flags, in markdown. */
export function commandReference(): string {
  return COMMANDS.map(commandText).join('\n\n');
}

function commandText(command: Command): string {
  const words = ['npx strata', command.name, ...command.arguments].join(' ');
  return `## ${command.name}\n\n\`${words}\`\n\n${command.summary.replaceAll('\n', ' ')}\n\n${flagsText(command)}`.trim();
}

function flagsText({ optionHelp }: Command): string {
  const all = settingHelp();
  const takesAll = all.every((line) => optionHelp.includes(line));
  const own = takesAll ? optionHelp.filter((line) => !all.includes(line)) : optionHelp;
  const rows = own.map((line) => {
    const [, flag, meaning] = HELP_LINE.exec(line) ?? [];
    if (flag === undefined || meaning === undefined) throw new Error(`no line of help for a flag: ${line}`);
    return [`\`${flag}\``, meaning];
  });
  const flags = rows.length === 0 ? '' : table(['Flag', 'Meaning'], rows);
  const settings = takesAll ? 'Every [setting](configuration.md) as a flag, and `--config FILE`.' : '';
  return [flags, settings].filter((part) => part !== '').join('\n\n');
}

/** The exit codes as a table in markdown. */
export function exitCodes(): string {
  const rows = Object.entries(EXIT).map(([name, code]) => [
    String(code),
    EXIT_MEANING[name as keyof typeof EXIT],
  ]);
  return table(['Exit code', 'Meaning'], rows);
}
