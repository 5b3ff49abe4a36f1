import { isLoopback } from '../config/resolve.ts';
import type { Config } from '../config.ts';
import { loadOperatorKey } from '../operator-key.ts';
import { UsageError, type Command, type Flags } from './command.ts';
import { optionLine } from './setting-flags.ts';

/** The flags of commands that talk to a running service. */
export const ADDRESS_OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  actor: { type: 'string' },
} as const satisfies Command['options'];

/** Lines of help for {@link ADDRESS_OPTIONS}. */
export const ADDRESS_HELP: readonly string[] = [
  optionLine('--url URL', 'Address of the service; default by STRATA_HOST and STRATA_PORT.'),
  optionLine(
    '--key KEY',
    'Operator key or token; default STRATA_API_KEY, then the key stored in the data directory.',
  ),
  optionLine('--actor ID', 'Who calls; default `user:local`. With a token it is the subject of the token.'),
];

/** The base address of the service. Throws `UsageError`. */
export function urlOf(flags: Flags, config: Config): URL {
  const given = textOf(flags.url);
  const url = given ?? `http://${reachable(config.host)}:${config.port}`;
  if (given === null && config.port === 0)
    throw new UsageError('the service takes any free port; name it with --url');
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new UsageError(`--url must be an address such as http://127.0.0.1:3141; ${url} is not`);
}

/** The bearer for a service; null where none is known that may be shown to it. */
export function keyFor(url: URL, flags: Flags, config: Config): string | null {
  return textOf(flags.key) ?? config.access.apiKey ?? storedKey(url, config);
}

/** The text of a flag; null when it is not given or empty. */
export function textOf(value: Flags[string]): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An address to connect to, for one that is listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The stored key opens the service of this machine; another address must not be shown it unasked. */
function storedKey(url: URL, config: Config): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isLoopback(host) || host === config.host ? loadOperatorKey(config.dataDir) : null;
}
