import type { IncomingMessage } from 'node:http';

import type { Credentials } from '../src/services/access.ts';
import { exchangeOf } from './exchange.ts';
import { headerText } from './headers.ts';

/** What the caller shows in its headers; an authorization that is not one bearer counts as an empty bearer. */
export function credentialsOf(request: IncomingMessage): Credentials {
  const authorizations = request.headersDistinct.authorization;
  const { familyHeaders } = exchangeOf(request);
  const actor = familyHeaders.get('actor');
  const tenant = familyHeaders.get('tenant');
  return {
    ...(authorizations === undefined ? {} : { bearer: bearerOf(authorizations) }),
    ...(actor === undefined ? {} : { actor }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

function bearerOf(authorizations: readonly string[]): string {
  if (authorizations.length !== 1) return '';
  const match = /^bearer +([^\s]+) *$/i.exec(headerText(authorizations[0] ?? ''));
  return match?.[1] ?? '';
}
