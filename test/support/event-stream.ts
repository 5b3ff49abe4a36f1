import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

import { createParser } from 'eventsource-parser';

import { operatorHeaders } from './client.ts';
import { eventually } from './wait.ts';

/** One server-sent event. */
export interface SentEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: any;
}

/** The events of a stream that has ended. */
export function sentEvents(text: string): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.push({ id, event, data: JSON.parse(data) }),
  });
  parser.feed(text);
  return events;
}

/** An open stream of server-sent events. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything that came so far, in order. */
  readonly events: SentEvent[];
  readonly comments: string[];
  /** Milliseconds of the `retry:` line. */
  retry: number | null;
  /** How the connection ended: `end` by the server, `broken` by either side; null while it is open. */
  ended: 'end' | 'broken' | null;
  /** Stops taking bytes from the connection, until {@link resume}. */
  pause(): void;
  resume(): void;
  /** Breaks the connection off. */
  close(): void;
  /** The events, once there are so many; the patience (milliseconds) is that of {@link eventually} unless told otherwise. */
  atLeast(count: number, patienceMs?: number): Promise<SentEvent[]>;
  /** The events, once one of them satisfies the condition. */
  until(condition: (event: SentEvent) => boolean): Promise<SentEvent[]>;
}

const open = new Set<EventStream>();

/** Closes every stream that a test left open; for `afterEach`. */
export function closeEvents(): void {
  for (const stream of open) stream.close();
  open.clear();
}

/** Opens a stream, by the operator unless the headers say who; resolves when its headers are there. Other answers than 200 fail. */
export async function openEvents(
  url: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
  stream = '/v1/lifecycle/stream',
): Promise<EventStream> {
  const path = `${stream}?${new URLSearchParams(query).toString()}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const caller = 'authorization' in headers ? {} : operatorHeaders();
    const request = httpRequest(`${url}${path}`, {
      headers: { ...caller, accept: 'text/event-stream', ...headers },
      agent: false,
    });
    request.once('response', resolve).once('error', reject).end();
  });
  if (response.statusCode !== 200) throw new Error(`the stream was refused: ${String(response.statusCode)}`);
  return gather(response);
}

function gather(response: IncomingMessage): EventStream {
  const stream: EventStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: [],
    comments: [],
    retry: null,
    ended: null,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
    atLeast: (count, patienceMs) =>
      eventually(
        `${count} events, ${stream.events.length} are there`,
        () => stream.events.length >= count && stream.events,
        patienceMs,
      ),
    until: (condition) => eventually('an event', () => stream.events.some(condition) && stream.events),
  };
  open.add(stream);
  const parser = createParser({
    onEvent: ({ id, event, data }) => stream.events.push({ id, event, data: JSON.parse(data) }),
    onComment: (comment) => stream.comments.push(comment),
    onRetry: (retry) => (stream.retry = retry),
    onError: (error) => {
      throw error;
    },
  });
  const decoder = new TextDecoder();
  response.on('data', (chunk: Buffer) => {
    parser.feed(decoder.decode(chunk, { stream: true }));
  });
  response.once('end', () => (stream.ended = 'end'));
  response.once('error', () => (stream.ended ??= 'broken'));
  response.once('close', () => (stream.ended ??= 'broken'));
  return stream;
}
