import { Router, type Request, type Response } from 'express';

import { StrataError } from '../src/errors.ts';
import { exchangeOf } from './exchange.ts';
import { EXPLORER_ASSETS, EXPLORER_PATH, type ExplorerFile, type ExplorerFiles } from './explorer-files.ts';
import { namesTag } from './range.ts';

/** Nothing is loaded from elsewhere and nothing is sent elsewhere; scripts and styles are files. `'self'` covers sockets too. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};
/** Names of files carry a hash of what is in them, so that what stands at one never changes. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The explorer at `/` and its files below `/explorer/`: open to everybody, since it holds no data and asks for a key itself. */
export function explorerRoutes(files: ExplorerFiles): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.all(EXPLORER_PATH, (request, response) => {
    exchangeOf(request).route = EXPLORER_PATH;
    requireReading(request, response);
    const page = files.read(EXPLORER_PATH);
    if (page === null) throw notBuilt();
    sendFile(request, response, { file: page, headers: PAGE_HEADERS });
  });
  router.use((request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isAsset = request.path.startsWith(EXPLORER_ASSETS);
    const file = isRead && isAsset ? files.read(request.path) : null;
    if (file === null) {
      next();
      return;
    }
    exchangeOf(request).route = EXPLORER_ASSETS;
    sendFile(request, response, { file, headers: ASSET_HEADERS });
  });
  return router;
}

function requireReading(request: Request, response: Response): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  response.setHeader('Allow', 'GET, HEAD');
  throw new StrataError('METHOD_NOT_ALLOWED', 'this path answers GET, HEAD');
}

function notBuilt(): StrataError {
  return new StrataError(
    'NOT_FOUND',
    'the explorer is not built: run `npm run build:explorer` in the folder of the service, then load this page again',
    { details: { reason: 'not_built' } },
  );
}

function sendFile(
  request: Request,
  response: Response,
  { file, headers }: { file: ExplorerFile; headers: Readonly<Record<string, string>> },
): void {
  const packed = request.acceptsEncodings('gzip') === 'gzip' ? file.gzip : null;
  const etag = packed === null ? `"${file.hash}"` : `"${file.hash}-gzip"`;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', etag);
  if (namesTag(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return;
  }
  const body = packed ?? file.body;
  if (packed !== null) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', body.length);
  response.end(body);
}
