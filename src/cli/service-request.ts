import type { IncomingMessage } from 'node:http';

import { loadConfig } from '../config.ts';
import { errorText } from '../errors.ts';
import { EXIT, type CliProcess, type Flags } from './command.ts';
import { refusalOf } from './ingest/answer.ts';
import { getFile, getJson, postJson, type HttpAnswer, type JsonGet } from './ingest/http.ts';
import { keyFor, textOf, urlOf } from './service-address.ts';
import { configInput } from './setting-flags.ts';

/** Wait for the answer of the service to a command of the command line, milliseconds. */
const CLI_ANSWER_MS = 30_000;

/** Wait for the next piece of a file, milliseconds: of a large graph in which little is wanted none comes for a while. */
const CLI_FILE_MS = 300_000;

/**
 * Asks a running service by the flags of an address, `--actor` and `--tenant`: posts a body, or reads without one. Null, and said why, where
 * nothing answers.
 */
export async function askService(
  path: string,
  body: object | null,
  { flags, host }: { flags: Flags; host: CliProcess },
): Promise<HttpAnswer | null> {
  const request = requestOf(path, { flags, host });
  try {
    return await (body === null ? getJson(request) : postJson({ ...request, body: JSON.stringify(body) }));
  } catch (error) {
    host.stderr.write(`strata: ${request.url.origin} does not answer: ${errorText(error)}\n`);
    return null;
  }
}

/** A file that a running service makes while it is read, or its refusal; null, and said why, where nothing answers. */
export async function askForFile(
  path: string,
  { flags, host }: { flags: Flags; host: CliProcess },
): Promise<IncomingMessage | HttpAnswer | null> {
  const request = requestOf(path, { flags, host });
  try {
    return await getFile({ ...request, timeoutMs: CLI_FILE_MS });
  } catch (error) {
    host.stderr.write(`strata: ${request.url.origin} does not answer: ${errorText(error)}\n`);
    return null;
  }
}

function requestOf(path: string, { flags, host }: { flags: Flags; host: CliProcess }): JsonGet {
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
  return { url: new URL(path, url), headers, timeoutMs: CLI_ANSWER_MS };
}

/** Tells of an answer that is no success; answers the exit code. */
export function refusalMessage(answer: HttpAnswer | null, host: CliProcess): number {
  if (answer === null) return EXIT.unreachable;
  const { code, message } = refusalOf(answer);
  host.stderr.write(`strata: ${code}: ${message}\n`);
  return answer.status === 401 ? EXIT.unreachable : EXIT.refused;
}
