import { loadConfig } from '../config.ts';
import { loadTokenKeys, rotateTokenKeys } from '../tokens/key-file.ts';
import { readSigningKey } from '../tokens/key.ts';
import { EXIT, UsageError, type Command } from './command.ts';
import { configInput, optionLine, settingHelp, settingOptions } from './setting-flags.ts';

/** `strata token keys`: lists the signing keys that this machine holds, never their secrets. */
export const tokenKeysCommand: Command = {
  name: 'token keys',
  arguments: [],
  summary: 'List the signing keys held here: name, public key (k4.public.…), and which one signs.',
  options: { ...settingOptions(['data_dir']), rotate: { type: 'boolean' } },
  optionHelp: [
    optionLine('--rotate', 'Put a new key in front; it signs from the next start of the service on.'),
    ...settingHelp(['data_dir']),
  ],
  async run({ flags }, host) {
    const { tokens, dataDir } = loadConfig(configInput(flags, host));
    const isSet = tokens.secretKeys !== null;
    if (flags.rotate === true && isSet) {
      throw new UsageError(
        'the keys come from STRATA_TOKEN_SECRET_KEY or strata.toml: put a new one in front there',
      );
    }
    const stored = flags.rotate === true ? await rotateTokenKeys(dataDir) : loadTokenKeys(dataDir);
    const texts = tokens.secretKeys ?? stored;
    for (const [index, text] of texts.entries()) {
      const { kid, text: publicText } = await readSigningKey(text);
      host.stdout.write(`${kid} ${publicText}${index === 0 ? ' signs' : ''}\n`);
    }
    if (isSet) host.stderr.write('The keys come from STRATA_TOKEN_SECRET_KEY or strata.toml.\n');
    else if (flags.rotate === true)
      host.stderr.write(
        'The new key signs from the next start of the service on; until then the former does.\n',
      );
    else if (texts.length === 0)
      host.stderr.write(`No signing key is stored in ${dataDir} yet; \`strata start\` makes one.\n`);
    return texts.length === 0 ? EXIT.refused : EXIT.ok;
  },
};
