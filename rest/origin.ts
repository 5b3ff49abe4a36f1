import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { RequestHandler } from 'express';

import { StrataError } from '../src/errors.ts';

/** Where a service that asks for no key lets itself be called: every page that a browser shows could speak for its user. */
export interface OpenDoor {
  /** The address or name that it listens on. */
  readonly host: string;
  /** True where it serves other machines on purpose, under whatever name they know it by. */
  readonly anyHost: boolean;
}

/** Whether pages of the origin may call: those of the service itself, and of the origins that are welcome, `*` for all. */
export function isWelcome(
  origin: string | undefined,
  host: string | undefined,
  welcome: readonly string[],
): boolean {
  if (origin === undefined || welcome.includes('*') || welcome.includes(origin)) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  const here = `${page.protocol}//${host}`;
  return page.host !== '' && URL.canParse(here) && new URL(here).host === page.host;
}

/**
 * Refuses with `POLICY_DENIED` a host that is neither loopback nor the service's own: a page whose name was made to lead here
 * has the origin that it should have, and only the name gives it away.
 */
export function requireOwnHost({ host: named }: IncomingHttpHeaders, { host, anyHost }: OpenDoor): void {
  if (anyHost || named === undefined) return;
  const name = nameOf(named);
  if (name !== null && (isLoopback(name) || name === nameOf(host.includes(':') ? `[${host}]` : host))) return;
  throw new StrataError(
    'POLICY_DENIED',
    'this server asks for no key, so it is called as localhost or by the host that it listens on only',
    { details: { reason: 'host', setting: 'STRATA_HOST' } },
  );
}

/**
 * Refuses with `POLICY_DENIED` what a browser sends for a page of another origin, by what it says of itself (`Sec-Fetch-Site`): what
 * such a page embeds names no origin, and whether it loads tells the page what there is. Let in are pages of the named origins, and
 * whoever goes to one of the HTML `pages` of the service, given by their paths.
 */
export function requireOwnSite(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { welcome, pages }: { readonly welcome: readonly string[]; readonly pages: readonly string[] },
): void {
  const { origin } = headers;
  const sent = `${headers['sec-fetch-site']}`.split(',').map((word) => word.trim().toLowerCase());
  if (!sent.includes('cross-site') && !sent.includes('same-site')) return;
  if (origin !== undefined && (welcome.includes('*') || welcome.includes(origin))) return;
  const goes = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (method === 'GET' && goes && pages.includes(url ?? '')) return;
  throw new StrataError(
    'POLICY_DENIED',
    'this server asks for no key, so pages of other origins may not call it unless theirs is configured',
    { details: { reason: 'site', setting: 'STRATA_CORS_ORIGINS' } },
  );
}

/**
 * Stands before every route of a service that asks for no key. A page of a foreign origin could write without asking, since a
 * body without a label needs no preflight, and learn what there is from whether it loads. `pages` are the paths of its HTML pages.
 */
export function refuseForeignPages(
  door: OpenDoor,
  welcome: readonly string[],
  pages: readonly string[],
): RequestHandler {
  return (request, _response, next) => {
    const { headers } = request;
    requireOwnHost(headers, door);
    if (!isWelcome(headers.origin, headers.host, welcome)) {
      throw new StrataError(
        'POLICY_DENIED',
        'this server asks for no key, so pages of this origin may not call it unless it is configured',
        { details: { reason: 'origin', setting: 'STRATA_CORS_ORIGINS' } },
      );
    }
    requireOwnSite(request, { welcome, pages });
    next();
  };
}

/** The name in a `Host` without its port, as a browser writes it; null for what is none. */
function nameOf(host: string): string | null {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null;
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name);
}
