import type { Driver } from 'neo4j-driver';

import type { Transactions } from '../../graph/driver.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemIds } from '../../src/ids.ts';
import { EPISODE_IDLE_MS } from '../../src/limits.ts';
import { HOLD_SHARD, query, testDatabase } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { wish } from '../support/wish.ts';
import { message, type Client } from '../support/client.ts';
import type {
  Declaring,
  Linking,
  Saying,
  SayingMuch,
  Settling,
  Stating,
  Step,
  Telling,
  Wishing,
} from './rebuild-histories.ts';

/** Predicates that conclusions about another one may rest on: nothing comes to rest on itself. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  likes: ['lives_in', 'owner_of'],
  prefers: ['lives_in', 'owner_of', 'likes'],
  knows: ['lives_in', 'owner_of', 'likes', 'prefers'],
};

const LIVE =
  'n.redacted_at IS NULL AND NOT EXISTS { (n)<-[:CANCELS]-() } AND NOT EXISTS { (n)-[:SUPERSEDED_BY]->() }';

/** Where a history is played, to look behind the service and to write what it has no route for. */
export interface PlayStore {
  readonly driver: Driver;
  readonly database: Transactions;
}

/** Plays the history of one scope through the whole service. */
export class Play {
  readonly scope: string;
  private readonly service: Client;
  private readonly driver: Driver;
  private readonly database: Transactions;
  private readonly events: string[] = [];
  private readonly held: string[] = [];
  private hasStated = false;

  constructor(service: Client, { driver, database }: PlayStore, scope: string) {
    this.service = service;
    this.driver = driver;
    this.database = database;
    this.scope = scope;
  }

  /** Does one step; nothing where there is nothing yet to do it with. */
  async act(next: Step): Promise<void> {
    if (next.do === 'say') await this.say(next.said);
    else if (next.do === 'tell') await this.tell(next.told);
    else if (next.do === 'cancel') await this.cancel(next.which);
    else if (next.do === 'replace') await this.replace(next.which, next.said);
    else if (next.do === 'hold') await this.hold(next.said);
    else if (next.do === 'release') await this.release();
    else if (next.do === 'declare') await this.declare(next.declared);
    else if (next.do === 'settle') await this.settle(next.settled);
    else if (next.do === 'synthesize') await this.synthesize(next.synthesis);
    else if (next.do === 'state') await this.state(next.stated);
    else if (next.do === 'ask') await this.ask(next.which);
    else if (next.do === 'link') await this.link(next.linked);
    else if (next.do === 'unlink') await this.unlink(next.which);
    else if (next.do === 'wish') await this.wish(next.wished);
    else await this.sayMuch(next.long);
  }

  /** Has what was held back derived late. */
  async release(): Promise<void> {
    await query(
      this.driver,
      `MATCH (h:StageRetry) WHERE h.event_id IN $held AND h.state = 'failed' SET h.state = 'queued'`,
      { held: this.held },
    );
    this.held.length = 0;
  }

  /** Has all events of the scope redacted. */
  async forget(): Promise<void> {
    await this.register();
    const path = `/v1/scopes?path=${encodeURIComponent(this.scope)}&records=forget`;
    expect((await this.service.request('DELETE', path)).status).toBe(204);
  }

  /** Has something of an event forgotten: of what is known of it now, or all of it. */
  private async wish({ which, statement: one, layer, side }: Wishing): Promise<void> {
    const event_id = this.at(which);
    if (event_id === undefined) return;
    const stated = await query<{ id: string }>(
      this.driver,
      'MATCH (s:Statement {event_id: $event_id}) WHERE s.continuation_of IS NULL RETURN s.id AS id ORDER BY id',
      { event_id },
    );
    const id = one === null ? undefined : stated[one % Math.max(1, stated.length)]?.id;
    const isWhole = id === undefined || layer === 'episodes';
    const ids = isWhole ? null : [layer === 'understanding' ? `${id}/${side}` : id];
    await wish(this.database, [{ event_id, layer, ids }]);
  }

  private async link({ entity, same_as }: Linking): Promise<void> {
    const { status } = await this.service.post('/v1/entities/link', { scope: this.scope, entity, same_as });
    expect([201, 404, 409, 422]).toContain(status);
  }

  private async unlink(which: number): Promise<void> {
    const found = await query<{ id: string }>(
      this.driver,
      'MATCH (l:EntityLink {scope: $scope}) WHERE l.ended_id IS NULL RETURN l.id AS id ORDER BY l.number',
      { scope: this.scope },
    );
    const link = found[which % Math.max(1, found.length)];
    if (link === undefined) return;
    expect((await this.service.request('DELETE', `/v1/entities/link/${link.id}`)).status).toBe(200);
  }

  private at(which: number): string | undefined {
    return this.events[which % Math.max(1, this.events.length)];
  }

  private async bulk(items: readonly unknown[]): Promise<string[]> {
    const { status, json } = await this.service.post('/v1/experience/bulk', { items });
    expect([202, 207]).toContain(status);
    const ids = json.results.flatMap(({ event_id }: any) => (event_id === null ? [] : [event_id as string]));
    this.events.push(...ids);
    return ids;
  }

  private async say(said: readonly Saying[]): Promise<void> {
    const items: unknown[] = [];
    for (const one of said) items.push(await this.envelopeOf(one, { idempotency_key: systemIds.entry() }));
    await this.bulk(items);
  }

  private async tell({ text, session, at: week, after }: Telling): Promise<void> {
    const before = after === null ? undefined : this.at(after);
    const context = {
      observed_at: new Date(Date.UTC(2026, 0, 1) + (week * EPISODE_IDLE_MS) / 4).toISOString(),
      ...(before === undefined ? {} : { preceded_by: [before] }),
    };
    const actor = session === null ? {} : { observed_actor: { id: 'user:a', session } };
    await this.bulk([message(this.scope, text, { context, ...actor })]);
  }

  private async cancel(which: number): Promise<void> {
    const id = this.at(which);
    if (id === undefined) return;
    const { status } = await this.service.post(`/v1/lifecycle/memory-event/${id}/cancel`);
    expect([200, 404]).toContain(status);
  }

  private async replace(which: number, said: Saying): Promise<void> {
    const [row] = await query<{ key: string | null }>(
      this.driver,
      'MATCH (e:Event {id: $id}) RETURN e.idempotency_key AS key',
      { id: this.at(which) ?? '' },
    );
    if (!row?.key) return;
    await this.bulk([await this.envelopeOf(said, { idempotency_key: row.key, on_conflict: 'replace' })]);
  }

  private async hold(said: Saying): Promise<void> {
    const envelope = await this.envelopeOf(said, { idempotency_key: systemIds.entry() });
    const ids = await this.whileLocked(async () => {
      const captured = await this.bulk([envelope]);
      await holdBack(this.driver, captured);
      return captured;
    });
    this.held.push(...ids);
  }

  private async declare(declared: Declaring): Promise<void> {
    const { subject, predicate, statement: words, confidence, from, reasons } = declared;
    const supports: string[] = [];
    for (const { layer, which } of reasons) {
      const below = BELOW[predicate ?? ''];
      if (layer === 'fact' && below === undefined) continue;
      const match =
        layer === 'event'
          ? `(n:Event {scope: $scope}) WHERE ${LIVE}`
          : '(n:Fact {scope: $scope}) WHERE n.predicate IN $below';
      supports.push(...(await this.oneOf(match, { which, below: below ?? [] })));
    }
    const { status } = await this.service.post('/v1/beliefs', {
      scope: this.scope,
      statement: words,
      confidence,
      ...(subject === null ? {} : { subject }),
      ...(predicate === null ? {} : { predicate }),
      ...(from === null ? {} : { valid_from: `${from}-01-01` }),
      ...(supports.length === 0 ? {} : { supports: [...new Set(supports)] }),
    });
    expect(status).toBe(201);
  }

  private async conflicts(): Promise<any[]> {
    return (await this.service.get(`/v1/conflicts?scope=${encodeURIComponent(this.scope)}`)).json.items;
  }

  /** States two values for the same time. */
  private async contradict(subject: string): Promise<void> {
    const since = { valid_from: '2015-01-01' };
    const items = ['ent_x', 'ent_y'].map((value) =>
      statement(this.scope, [subject, 'lives in', value], since),
    );
    const { status, json } = await this.service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
    this.events.push(...json.results.map(({ event_id }: any) => event_id as string));
  }

  /** A resolution may not fit its conflict, and by some policies there is none. */
  private async settle({ which, action, record, other, from, subject, object }: Settling): Promise<void> {
    if ((await this.conflicts()).length === 0) await this.contradict(subject);
    const conflicts = await this.conflicts();
    const conflict = conflicts[which % Math.max(1, conflicts.length)];
    if (conflict === undefined) return;
    const idOf = (n: number): string => conflict.records[n % conflict.records.length].id as string;
    const valid_from = from === null ? {} : { valid_from: `${from}-01-01` };
    const isExclusive = new Set(conflict.records.map((one: any) => one.subject)).size > 1;
    const value = isExclusive
      ? { subject: { type: 'entity', id: subject } }
      : { object: { type: 'entity', id: object } };
    const body = {
      pick: { winner: idOf(record), reason: 'a test' },
      split: { boundary: `${from ?? 2013}-06-01`, earlier: idOf(record), later: idOf(other) },
      new_information: { record: { ...value, ...valid_from } },
      dismiss: {},
    }[action];
    const { status } = await this.service.post(`/v1/conflicts/${conflict.id}/resolve`, { action, ...body });
    expect([200, 409, 422]).toContain(status);
  }

  private async synthesize(synthesis: { topics: string[] | null; force: boolean }): Promise<void> {
    if (this.events.length === 0) return;
    const { topics, force } = synthesis;
    const body = { scope: this.scope, force, ...(topics === null ? {} : { topics }) };
    expect((await this.service.post('/v1/understanding/synthesize', body)).status).toBe(202);
  }

  /** Has the waiting of the scope end, up to one of its events. */
  private async ask(which: number): Promise<void> {
    await query(
      this.driver,
      `MATCH (e:Event {id: $id}) MATCH (d:Deferral {scope_ref: e.scope_ref}) WHERE d.through < e.wal_offset
       SET d.through = e.wal_offset, d.open_shard = d.shard`,
      { id: this.at(which) ?? '' },
    );
  }

  private async state({ above, conflict_resolution, cardinality, consolidation }: Stating): Promise<void> {
    const path = above ? this.scope.slice(0, this.scope.lastIndexOf('/')) : this.scope;
    if (!above && !this.hasStated) await this.register();
    // Where all scopes had many values at once, hardly any would contradict another one.
    const own = above || cardinality === null ? {} : { cardinality };
    const policies = { conflict_resolution, ...own, ...(above ? {} : { consolidation }) };
    const body = { policies };
    const where = `/v1/scopes?path=${encodeURIComponent(path)}`;
    expect((await this.service.request('PUT', where, { body })).status).toBe(200);
  }

  private async register(): Promise<void> {
    this.hasStated = true;
    expect([201, 409]).toContain((await this.service.post('/v1/scopes', { path: this.scope })).status);
  }

  private async sayMuch({ subject, count }: SayingMuch): Promise<void> {
    const items = Array.from({ length: count }, (_, i) => {
      const day = new Date(Date.UTC(2011, 0, 1 + 13 * i)).toISOString().slice(0, 10);
      return statement(this.scope, [subject, 'lives in', `ent_${'xyz'[i % 3]}`], { valid_from: day });
    });
    await this.bulk(items);
  }

  private async envelopeOf(one: Saying, more: Record<string, unknown> = {}): Promise<any> {
    const { kind, subject, predicate, object, from, length, name, confidence, extract } = one;
    const premises = kind === 'asserted' ? await this.premiseOf(one) : [];
    const envelope: any = statement(this.scope, [subject, predicate, object], {
      ...more,
      ...(kind === 'never' || from === null ? {} : { valid_from: `${from}-01-01` }),
      ...(kind === 'asserted' && from !== null && length !== null
        ? { valid_to: `${from + length}-01-01` }
        : {}),
      ...(kind === 'asserted' ? {} : { polarity: 'negative' }),
      ...(confidence === null ? {} : { confidence }),
      ...(premises.length === 0 ? {} : { derived_from: premises }),
    });
    if (name !== null) envelope.content.triple.subject.name = name;
    if (extract !== null) envelope.directives = { extract };
    return envelope;
  }

  private async premiseOf({ premise, predicate }: Saying): Promise<string[]> {
    const below = BELOW[predicate];
    if (premise === null || below === undefined) return [];
    const { layer, which } = premise;
    if (layer === 'event') return this.oneOf(`(n:Event) WHERE ${LIVE}`, { which, below });
    const label = layer === 'fact' ? 'Fact' : 'Belief';
    return this.oneOf(`(n:${label}) WHERE n.predicate IN $below`, { which, below });
  }

  /** The id of one of the records that a pattern `n` finds; none when it finds fewer. */
  private async oneOf(
    match: string,
    { which, below }: { which: number; below: readonly string[] },
  ): Promise<string[]> {
    const found = await query<{ id: string }>(
      this.driver,
      `MATCH ${match} RETURN n.id AS id ORDER BY id SKIP $skip LIMIT 1`,
      { skip: BigInt(which), below, scope: this.scope },
    );
    return found.map(({ id }) => id);
  }

  /** Keeps every stage of the scope waiting while `work` is done. */
  private async whileLocked<T>(work: () => Promise<T>): Promise<T> {
    const session = this.driver.session({ database: testDatabase().database });
    const lock = session.beginTransaction();
    try {
      await lock.run(HOLD_SHARD, {
        number: BigInt(shardOf(scopeRef('default', this.scope))),
      });
      return await work();
    } finally {
      await lock.rollback();
      await session.close();
    }
  }
}

/** Makes an event look as if extraction had given it up. */
async function holdBack(driver: Driver, ids: readonly string[]): Promise<void> {
  await query(
    driver,
    `MATCH (e:Event) WHERE e.id IN $ids
     CREATE (:StageRetry {id: e.id + '/extracted', event_id: e.id, tenant: e.tenant, scope_ref: e.scope_ref, shard: e.shard, stage: 'extracted',
       state: 'failed', reason: 'a test', since: 0})`,
    { ids },
  );
}
