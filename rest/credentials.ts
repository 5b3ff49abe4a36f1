import type { IncomingMessage } from 'node:http';

import { StrataError } from '../src/errors.ts';
import type { Credentials, Principal } from '../src/services/access.ts';
import { exchangeOf } from './exchange.ts';
import { headerText } from './headers.ts';
import type { Authenticator } from '../src/services/operations.ts';

const BEARER = /^bearer(?: +(.*))?$/i;

/**
 * The caller behind the headers of a request; throws the 401 codes. An authorization of another scheme, or a bearer
 * with nothing behind it, counts as none. Several, or one that is not a single word: `INVALID_TOKEN`, where a bearer
 * is looked at.
 */
export function recognise(request: IncomingMessage, access: Authenticator): Principal {
  const bearer = bearerOf(request);
  try {
    return access.authenticate(credentialsOf(request, bearer));
  } catch (error) {
    const unclear = bearer === '' && error instanceof StrataError && error.code === 'INVALID_TOKEN';
    if (!unclear) throw error;
    throw new StrataError('INVALID_TOKEN', 'send exactly one bearer: one Authorization: Bearer <key>');
  }
}

function credentialsOf(request: IncomingMessage, bearer: string | undefined): Credentials {
  const { familyHeaders } = exchangeOf(request);
  const actor = familyHeaders.get('actor');
  const tenant = familyHeaders.get('tenant');
  return {
    ...(bearer === undefined ? {} : { bearer }),
    ...(actor === undefined ? {} : { actor }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** The bearer; undefined when there is none, empty when it is not clear which one it is. */
function bearerOf(request: IncomingMessage): string | undefined {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  if (more.length > 0) return '';
  const bearer = BEARER.exec(headerText(authorization).trim())?.[1];
  return bearer === undefined || !/\s/.test(bearer) ? bearer : '';
}
