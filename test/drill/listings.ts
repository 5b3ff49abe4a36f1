import canonicalize from 'canonicalize';

import type { SentEvent } from '../support/event-stream.ts';
import type { Answer } from '../support/client.ts';
import type { Frame } from './subscription.ts';
import { sendPatiently } from './patient.ts';

const PAGE = 1000;

/** The frame of a server-sent event; the event carries instant and scope beside what the body says. */
export function sentFrame({ id = '', event = '', data }: SentEvent): Frame {
  const { scope: _, ...body } = data as { ts: string; scope: string };
  return { id, event, ts: body.ts, data: body };
}

/** Every kept frame of a scope, oldest first, page by page. */
export async function listedFrames(url: string, scope: string): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let offset = 0; ;) {
    const page = `/v1/lifecycle?scope=${encodeURIComponent(scope)}&limit=${PAGE}&offset=${offset}`;
    const { items, has_more, next_offset } = good(await sendPatiently(url, 'GET', page));
    for (const { lifecycle_id: id, event, ts, data } of items)
      frames.push({ id, event, ts, data: { ...data, ts } });
    if (!has_more) return frames;
    offset = next_offset;
  }
}

/** Ids of every event of a scope in the order of the list. */
export async function listedEvents(url: string, scope: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = `/v1/events?scope=${encodeURIComponent(scope)}&limit=${PAGE}${after}`;
    const { items, next_cursor } = good(await sendPatiently(url, 'GET', page));
    ids.push(...items.map(({ id }: { id: string }) => id));
    if (typeof next_cursor !== 'string') return ids;
    cursor = next_cursor;
  }
}

const EVENTS = `query ($scope: String!, $after: String) {
  events(scope: $scope, first: ${PAGE}, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
}`;

/** The same by GraphQL. */
export async function queriedEvents(url: string, scope: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const data = await queried(url, EVENTS, { scope, after });
    ids.push(...data.events.nodes.map(({ id }: { id: string }) => id));
    if (!data.events.pageInfo.hasNextPage) return ids;
    after = data.events.pageInfo.endCursor as string;
  }
}

/** The data that a query by GraphQL is answered; throws its errors. */
export async function queried(url: string, query: string, variables: object): Promise<any> {
  const { data, errors } = good(await sendPatiently(url, 'POST', '/graphql', { body: { query, variables } }));
  if (errors !== undefined) throw new Error(`the query is answered ${JSON.stringify(errors)}`);
  return data;
}

/** What one sequence has other than the other: nothing, or where they part. */
export function differences(name: string, got: readonly unknown[], wanted: readonly unknown[]): string[] {
  const length = Math.max(got.length, wanted.length);
  for (let i = 0; i < length; i += 1) {
    const [have, want] = [told(got[i]), told(wanted[i])];
    if (have !== want)
      return [`${name}: number ${i} of ${got.length} is ${have}, not ${want} of ${wanted.length}`];
  }
  return [];
}

/** JSON whose members have one order: transports need not send them in the same. */
function told(value: unknown): string {
  return value === undefined ? 'missing' : (canonicalize(value) ?? 'nothing');
}

/** The body of an answer that succeeded; throws what was answered else. */
export function good({ status, json, text }: Answer): any {
  if (status !== 200) throw new Error(`answered ${status} ${text.slice(0, 500)}`);
  return json;
}
