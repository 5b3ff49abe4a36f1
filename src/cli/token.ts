import { z } from 'zod';

import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { ADDRESS_HELP, ADDRESS_OPTIONS, textOf } from './service-address.ts';
import { askService, refusalMessage } from './service-request.ts';
import { optionLine, settingHelp, settingOptions } from './setting-flags.ts';

const minted = z.object({ token: z.string(), jti: z.string(), expires_at: z.string() });

/** `strata token mint`: has a running service mint a token, and prints it alone on standard output. */
export const tokenMintCommand: Command = {
  name: 'token mint',
  arguments: [],
  summary: 'Have a running service mint a token for an actor; its id and end go to standard error.',
  options: {
    ...settingOptions(['data_dir']),
    ...ADDRESS_OPTIONS,
    subject: { type: 'string' },
    tenant: { type: 'string' },
    ttl: { type: 'string' },
    cap: { type: 'string', multiple: true },
    confine: { type: 'string', multiple: true },
  },
  optionHelp: [
    optionLine('--subject ID', 'Actor that the token is for; has to be given.'),
    optionLine('--tenant ID', 'Tenant of the token; default `default`.'),
    optionLine('--ttl SECONDS', 'Life of the token, 60 to 86400; default 3600.'),
    optionLine(
      '--cap NAME',
      'Capability that the token is narrowed to, or a family (forget.*); may be repeated.',
    ),
    optionLine(
      '--confine NAME:PATH[/*]',
      'Lets a capability be used in a scope only (/*: and below); may be repeated.',
    ),
    ...ADDRESS_HELP,
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags }, host) => mint(flags, host),
};

/** `strata token revoke`: has a running service revoke a token. */
export const tokenRevokeCommand: Command = {
  name: 'token revoke',
  arguments: ['JTI'],
  summary: 'Have a running service revoke a token by its id.',
  options: {
    ...settingOptions(['data_dir']),
    ...ADDRESS_OPTIONS,
    reason: { type: 'string' },
  },
  optionHelp: [
    optionLine('--reason TEXT', 'Why, kept with the revocation.'),
    ...ADDRESS_HELP,
    ...settingHelp(['data_dir']),
  ],
  async run({ flags, positionals }, host) {
    const reason = textOf(flags.reason);
    const body = { jti: positionals[0], ...(reason === null ? {} : { reason }) };
    const answer = await askService('/v1/auth/revoke', body, { flags, host });
    if (answer?.status !== 204) return refusalMessage(answer, host);
    host.stderr.write(`revoked ${positionals[0] ?? ''}\n`);
    return EXIT.ok;
  },
};

async function mint(flags: Flags, host: CliProcess): Promise<number> {
  const subject = textOf(flags.subject);
  if (subject === null) throw new UsageError('--subject is missing: the actor that the token is for');
  const body = {
    subject,
    ...(flags.ttl === undefined ? {} : { ttl_seconds: secondsOf(flags.ttl) }),
    ...(flags.cap === undefined ? {} : { caps: flags.cap }),
    ...(flags.confine === undefined ? {} : { scopes: flags.confine }),
  };
  const answer = await askService('/v1/auth/tokens', body, { flags, host });
  if (answer?.status !== 201) return refusalMessage(answer, host);
  const { token, jti, expires_at } = minted.parse(JSON.parse(answer.text));
  host.stdout.write(`${token}\n`);
  host.stderr.write(`${jti} for ${subject}, until ${expires_at}\n`);
  return EXIT.ok;
}

function secondsOf(ttl: Flags[string]): number {
  const seconds = Number(ttl);
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw new UsageError('--ttl must be a whole number of seconds');
}
