import type { IncomingMessage } from 'node:http';

import { StrataError } from '../src/errors.ts';
import { MAX_AUTHORIZATION_LENGTH } from '../src/limits.ts';
import type { Credentials, Principal } from '../src/services/access.ts';
import { exchangeOf } from './exchange.ts';
import { headerText, headerValues } from './headers.ts';
import type { Attempt, Authenticator } from '../src/services/authenticator.ts';

const SCHEME = 'bearer';
const BLANK = /\s/;

/** What a caller shows of himself, as it arrived. */
export interface Shown {
  /** Every authorization that was sent, as text. */
  readonly authorizations: readonly string[];
  /** Values of the header families by their lower-case name without `x-<family>-`. */
  readonly families: ReadonlyMap<string, string>;
  /** Whether a token of our own has to come with its actor. */
  readonly actorRequired: boolean;
  /** From where, and for what, they are shown. */
  readonly attempt: Attempt;
}

/** The caller behind the headers of a request; throws the 401 codes as {@link recogniseShown} does. */
export function recognise(request: IncomingMessage, access: Authenticator): Promise<Principal> {
  const { familyHeaders, transport, address, route, requestId, began } = exchangeOf(request);
  const attempt = { address, endpoint: `${request.method ?? ''} ${route ?? ''}`, requestId, began };
  const authorizations = authorizationsOf(request);
  return recogniseShown(
    { authorizations, families: familyHeaders, actorRequired: transport === 'rest', attempt },
    access,
  );
}

/** The authorization headers of a request. */
export function authorizationsOf(request: IncomingMessage): string[] {
  return headerValues(request, 'authorization').map(headerText);
}

/**
 * The caller behind what was shown; throws the 401 codes. An authorization of another scheme, or a bearer with nothing
 * behind it, counts as none. Several, one that is
 * not a single word, or more than any token has: `INVALID_TOKEN_SIGNATURE`, where a bearer is looked at.
 */
export async function recogniseShown(shown: Shown, access: Authenticator): Promise<Principal> {
  const bearer = bearerOf(shown.authorizations);
  try {
    return await access.authenticate(
      { ...credentialsOf(shown.families, bearer), actorRequired: shown.actorRequired },
      shown.attempt,
    );
  } catch (error) {
    const unclear = bearer === '' && error instanceof StrataError && error.code === 'INVALID_TOKEN_SIGNATURE';
    if (!unclear) throw error;
    throw new StrataError(
      'INVALID_TOKEN_SIGNATURE',
      'send exactly one bearer: one Authorization: Bearer <key>',
    );
  }
}

function credentialsOf(families: ReadonlyMap<string, string>, bearer: string | undefined): Credentials {
  const actor = families.get('actor');
  const tenant = families.get('tenant');
  return {
    ...(bearer === undefined ? {} : { bearer }),
    ...(actor === undefined ? {} : { actor }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** The bearer; undefined when there is none, empty when it is not clear which one it is. */
function bearerOf([authorization = '', ...more]: readonly string[]): string | undefined {
  if (more.length > 0 || authorization.length > MAX_AUTHORIZATION_LENGTH) return '';
  const shown = authorization.trim();
  if (shown.slice(0, SCHEME.length).toLowerCase() !== SCHEME || shown[SCHEME.length] !== ' ')
    return undefined;
  let from = SCHEME.length;
  while (shown[from] === ' ') from += 1;
  const bearer = shown.slice(from);
  return BLANK.test(bearer) ? '' : bearer;
}
