import type { RequestHandler } from 'express';

import type { Metrics } from '../src/metrics.ts';
import { exchangeOf } from './exchange.ts';

/** Counts each request when its answer is out or its client gone; `unmatched` is what met no operation. */
export function requestMetrics(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    response.once('close', () => {
      const { operation, transport } = exchangeOf(request);
      metrics.requestAnswered({
        operation: operation ?? 'unmatched',
        transport,
        status: response.writableFinished ? response.statusCode : null,
        seconds: (performance.now() - began) / 1000,
      });
    });
    next();
  };
}
