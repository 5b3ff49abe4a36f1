import type { RequestHandler } from 'express';

import type { Log } from '../src/log.ts';
import { exchangeOf } from './exchange.ts';

/**
 * One line for each request, when its answer is out or its client gone. Never the path as sent, the query, a body or a
 * credential: ids and content would be in them.
 */
export function accessLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const address = request.ip ?? null;
    response.once('close', () => {
      const { requestId, route, principal } = exchangeOf(request);
      log.info('request', {
        method: request.method,
        route,
        status: response.writableFinished ? response.statusCode : null,
        ms: Math.round((performance.now() - began) * 10) / 10,
        request_id: requestId,
        tenant: principal?.tenant ?? null,
        actor: principal?.actor ?? null,
        address,
      });
    });
    next();
  };
}
