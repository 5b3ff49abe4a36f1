import { send } from '../../support/client.ts';
import type { Bench } from '../bench.ts';
import { SCOPES } from '../envelopes.ts';
import { percentiles } from '../statistics.ts';
import { recordDurations } from './visible.ts';

/** As much of an event as a REST listing answers of those that the bench writes; what derives from it is ids there, and records here. */
const QUERY = `query ($scope: String!) {
  events(scope: $scope, first: 50) {
    nodes {
      id scope caller scopeKey modality walOffset
      observedActor { id type session }
      subject { id type }
      content { kind ... on MessageContent { role text } }
      context { observedAt recordedAt intent labels }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** The same page of events by GraphQL and by REST. */
export async function graphql(bench: Bench): Promise<void> {
  const [scope = ''] = SCOPES;
  const body = { query: QUERY, variables: { scope } };
  const name = 'graphql.page';
  const note = '50 newest events by GraphQL; ratio to the same page by REST';
  const { status, json, text } = await send(bench.service.url, 'POST', '/graphql', { body });
  if (status === 404) {
    recordDurations(bench, { name, note, durations: null, cpu: {} });
    return;
  }
  if (json?.data?.events?.nodes?.length !== 50)
    throw new Error(`the query was answered ${status} ${text.slice(0, 500)}`);
  const reads = [
    { path: `/v1/events?scope=${encodeURIComponent(scope)}&limit=50` },
    { path: '/graphql', body },
  ];
  bench.say('GraphQL against REST');
  await bench.load.order('read', { reads, rounds: 50 });
  const meter = bench.meter();
  const [rest = [], own = []] = await meter.during(['service', 'service_database', 'load'], () =>
    bench.load.order('read', { reads, rounds: bench.options.quick ? 100 : 400 }),
  );
  recordDurations(bench, { name, note, durations: own, cpu: meter.used, raw: percentiles(rest).p50 });
}
