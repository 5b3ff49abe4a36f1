import { loadConfig } from '../config.ts';
import { errorText } from '../errors.ts';
import { EXIT, type CliProcess, type Flags } from './command.ts';
import { refusalOf } from './ingest/answer.ts';
import { getJson, postJson, type HttpAnswer } from './ingest/http.ts';
import { keyFor, textOf, urlOf } from './service-address.ts';
import { configInput } from './setting-flags.ts';

/** Wait for the answer of the service to a command of the command line, milliseconds. */
const CLI_ANSWER_MS = 30_000;

/**
 * Asks a running service by the flags of an address, `--actor` and `--tenant`: posts a body, or reads without one. Null, and said why, where
 * nothing answers.
 */
export async function askService(
  path: string,
  body: object | null,
  { flags, host }: { flags: Flags; host: CliProcess },
): Promise<HttpAnswer | null> {
  const config = loadConfig(configInput(flags, host));
  const url = urlOf(flags, config);
  const given: [string, string | null][] = [
    ['x-strata-actor', textOf(flags.actor)],
    ['x-strata-tenant', textOf(flags.tenant)],
  ];
  const key = keyFor(url, flags, config);
  if (key !== null) given.push(['authorization', `Bearer ${key}`]);
  const headers = Object.fromEntries(
    given.filter((header): header is [string, string] => header[1] !== null),
  );
  const request = { url: new URL(path, url), headers, timeoutMs: CLI_ANSWER_MS };
  try {
    return await (body === null ? getJson(request) : postJson({ ...request, body: JSON.stringify(body) }));
  } catch (error) {
    host.stderr.write(`strata: ${url.origin} does not answer: ${errorText(error)}\n`);
    return null;
  }
}

/** Tells of an answer that is no success; answers the exit code. */
export function refusalMessage(answer: HttpAnswer | null, host: CliProcess): number {
  if (answer === null) return EXIT.unreachable;
  const { code, message } = refusalOf(answer);
  host.stderr.write(`strata: ${code}: ${message}\n`);
  return answer.status === 401 ? EXIT.unreachable : EXIT.refused;
}
