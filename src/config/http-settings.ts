import { integer, list, trust } from './kinds.ts';
import { setting } from './setting.ts';

const ORIGIN = /^(\*|https?:\/\/[^\s/,]+)$/;

/** How HTTP is served, and GraphQL's sockets. */
export const HTTP_SETTINGS = {
  'http.trust_proxy': setting(trust(), {
    env: 'STRATA_TRUST_PROXY',
    fallback: false,
    description: 'Proxies whose `X-Forwarded-For` is believed.',
  }),
  'http.cors_origins': setting(list(ORIGIN, 'origins such as https://app.example.com, or *'), {
    env: 'STRATA_CORS_ORIGINS',
    fallback: [],
    description: 'Origins whose pages may call the service; none by default.',
  }),
  'http.header_timeout_ms': setting(integer({ min: 100, max: 600_000 }), {
    env: 'STRATA_HTTP_HEADER_TIMEOUT_MS',
    fallback: 15_000,
    unit: 'ms',
    description: 'Time for a client to send the headers of a request.',
  }),
  'http.request_timeout_ms': setting(integer({ min: 100, max: 3_600_000 }), {
    env: 'STRATA_HTTP_REQUEST_TIMEOUT_MS',
    fallback: 120_000,
    unit: 'ms',
    description: 'Time for a client to send a whole request.',
  }),
  'http.keep_alive_ms': setting(integer({ min: 0, max: 600_000 }), {
    env: 'STRATA_HTTP_KEEP_ALIVE_MS',
    fallback: 65_000,
    unit: 'ms',
    description: 'Time an idle connection is kept open.',
  }),
  'http.shutdown_grace_ms': setting(integer({ min: 0, max: 600_000 }), {
    env: 'STRATA_HTTP_SHUTDOWN_GRACE_MS',
    fallback: 20_000,
    unit: 'ms',
    description:
      'Time for requests in flight to finish after a stop signal; those over HTTP that forget or erase have a minute where that is longer.',
  }),
  'http.max_event_loop_delay_ms': setting(integer({ min: 0, max: 600_000 }), {
    env: 'STRATA_HTTP_MAX_EVENT_LOOP_DELAY_MS',
    fallback: 1000,
    unit: 'ms',
    description:
      'Delay of the event loop beyond which, when three measurements in a row show it, new requests, sockets and operations of sockets are refused with 503 `SERVER_BUSY`, until one shows half of it or less. Health, readiness, version and metrics are answered all the same. 0: never.',
  }),
} as const;
