import type { RequestHandler } from 'express';

import type { Metrics } from '../src/metrics.ts';
import { exchangeOf } from './exchange.ts';

/** Counts each request when its answer is out or its client gone; `unmatched` is what met no operation. */
export function requestMetrics(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    response.once('close', () => {
      metrics.requestAnswered({
        operation: exchangeOf(request).operation ?? 'unmatched',
        transport: 'rest',
        status: response.writableFinished ? response.statusCode : null,
        seconds: (performance.now() - began) / 1000,
      });
    });
    next();
  };
}
