import type { IncomingMessage } from 'node:http';

import { StrataError } from '../src/errors.ts';
import type { Principal } from '../src/services/access.ts';
import type { Attempt, Authenticator } from '../src/services/authenticator.ts';
import { authorizationsOf, recogniseShown } from './credentials.ts';
import type { HeaderFamilies } from './headers.ts';

/** Short names that a `connection_init` may use, and the headers that they stand for. */
const HEADERS: Readonly<Record<string, string>> = { actor: 'x-strata-actor', tenant: 'x-strata-tenant' };

/**
 * The caller behind a socket: what its `connection_init` says, and for what that does not name the headers of the upgrade
 * request. The payload takes `authorization`, `actor`, `tenant` or the names of the headers, in any case. Throws the 401
 * codes as for a request, and `INVALID_HEADER` when a value is no text or is given twice and differs.
 */
export async function recogniseSocket(
  request: IncomingMessage,
  payload: Readonly<Record<string, unknown>> | undefined,
  {
    access,
    families,
    attempt,
  }: { access: Authenticator; families: HeaderFamilies; attempt: Omit<Attempt, 'endpoint'> },
): Promise<Principal> {
  const given = Object.entries(payload ?? {}).map(
    ([name, value]) => [headerOf(name.toLowerCase()), value] as const,
  );
  const ours = given.filter(([name]) => name === 'authorization' || families.has(name)).map(requireText);
  const authorizations = [
    ...new Set(ours.filter(([name]) => name === 'authorization').map(([, value]) => value)),
  ];
  return recogniseShown(
    {
      authorizations: authorizations.length > 0 ? authorizations : authorizationsOf(request),
      families: new Map([...families.read(request), ...families.gather(ours)]),
      actorRequired: false,
      attempt: { ...attempt, endpoint: 'GraphQL connection_init' },
    },
    access,
  );
}

function headerOf(name: string): string {
  return Object.hasOwn(HEADERS, name) ? (HEADERS[name] ?? name) : name;
}

function requireText([name, value]: readonly [string, unknown]): readonly [string, string] {
  if (typeof value === 'string') return [name, value];
  throw new StrataError('INVALID_HEADER', `${name} in the payload of connection_init is no text`, {
    details: { header: name },
  });
}
