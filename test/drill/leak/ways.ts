import { eventually } from '../../support/wait.ts';
import { SPEAKER, SUBJECT, type World } from './world.ts';

/** One way in: how the value comes into a scope. */
export interface Way {
  readonly name: string;
  /** Plants the value; the bystanders are there. */
  readonly plant: (world: World) => Promise<unknown>;
  /** Whether what is planted states something: else no selector finds it by that. Default true. */
  readonly states?: false;
  /** Selectors that do not find all that is planted, because a part of it has nothing that they go by. */
  readonly missedBy?: readonly string[];
  /** Where the value stays by design when all that holds it is forgotten, and why; `unless` names removals that leave it nowhere. */
  readonly stays?: { readonly places: RegExp; readonly why: string; readonly unless?: readonly string[] };
}

const literal = (value: unknown, datatype = 'string'): object => ({ type: 'literal', datatype, value });
const triple = (world: World, more: Record<string, unknown>) => ({
  content: { kind: 'triple', triple: world.triple(more) },
});
const text = (value: string) => ({ content: { kind: 'text', text: `They spoke of ${value} for an hour.` } });

/** Uploads bytes; answers the id of the blob. */
async function uploaded(world: World, body: string, type = 'text/plain'): Promise<string> {
  const { blob_id } = await world.sent('POST', '/v1/blobs', undefined, { body, type });
  world.things.blob = blob_id as string;
  return blob_id as string;
}

/** A link is said by a request of its own, and goes with the events about what it joins. */
const LINKED = {
  places:
    /^(LogEntry:LinkEntry(:EntityLink)?\.(entity|same_as)|LinkedEntity\.(entity_id|key)|(getEntity|query entity)\b.*\.links\[\]\.(entity|same_as|sameAs))$/,
  why: 'a link stays with events that stay',
  unless: ['redact_events', 'erasure', 'suppress', 'deletion of the scope', 'sweep of retention'],
};

/** What a belief is declared by, or a conflict settled, has no label and is observed when it is said. */
const UNMARKED = ['entity of a label', 'labels', 'valid time'];

/** Ways of what an event states. */
const STATED: readonly Way[] = [
  { name: 'literal', plant: (w) => w.plant(triple(w, { object: literal(`has ${w.value}`) })) },
  {
    name: 'json literal',
    plant: (w) => w.plant(triple(w, { object: literal({ deep: [w.value] }, 'json') })),
  },
  { name: 'datatype', plant: (w) => w.plant(triple(w, { object: literal('x', `x-${w.value}`) })) },
  { name: 'object id', plant: (w) => w.plant(triple(w, { object: { type: 'entity', id: w.value } })) },
  {
    name: 'object name',
    plant: (w) => w.plant(triple(w, { object: { type: 'entity', id: 'ent_thing', name: w.value } })),
  },
  {
    name: 'subject id',
    plant: (w) => {
      w.about.subject = w.value;
      return w.plant(triple(w, { subject: { type: 'entity', id: w.value, name: 'Quill' } }));
    },
  },
  { name: 'entity name', plant: (w) => w.plant(triple(w, { subject: { ...SUBJECT, name: w.value } })) },
  {
    name: 'alias',
    plant: async (w) => {
      await w.plant();
      await w.plant(triple(w, { subject: { ...SUBJECT, name: w.value }, object: literal('tea') }));
    },
  },
  {
    name: 'name alone',
    plant: (w) => {
      w.about.subject = w.value;
      return w.plant(triple(w, { subject: literal(w.value) }));
    },
  },
  {
    name: 'predicate',
    plant: (w) => {
      w.about.predicate = w.value;
      return w.plant(triple(w, { predicate: w.value }));
    },
  },
  {
    name: 'derived from what goes',
    plant: async (w) => {
      const premise = await w.plant();
      await w.plant(triple(w, { object: literal(w.value), derived_from: [premise] }));
    },
  },
  {
    name: 'link',
    stays: LINKED,
    plant: async (w) => {
      await w.plant();
      await w.sent('POST', '/v1/entities/link', { scope: w.scope, entity: SUBJECT.id, same_as: w.value });
    },
  },
  {
    name: 'link that was taken back',
    stays: LINKED,
    plant: async (w) => {
      await w.plant();
      const link = { scope: w.scope, entity: w.value, same_as: SUBJECT.id };
      const { link_id } = await w.sent('POST', '/v1/entities/link', link);
      w.things.link = link_id as string;
      await w.sent('DELETE', `/v1/entities/link/${link_id}`);
    },
  },
  {
    name: 'topic',
    plant: async (w) => {
      w.about.subject = w.value;
      await w.plant(triple(w, { subject: { type: 'entity', id: w.value, name: 'Quill' } }));
      await w.sent('POST', '/v1/understanding/synthesize', {
        scope: w.scope,
        topics: [w.value, 'ent_ada'],
        force: true,
      });
    },
  },
  {
    name: 'ambiguous name',
    plant: async (w) => {
      const named = (id: string) => ({ type: 'entity', id, name: 'Ann' });
      const beside = (subject: object) =>
        w.capture({
          content: { kind: 'triple', triple: { subject, predicate: 'lives_in', object: literal('Rome') } },
        });
      w.bystanders.push(await beside(named('ent_ann')));
      w.about.subject = w.value;
      await w.plant(triple(w, { subject: named(w.value) }));
      w.bystanders.push(await beside(literal('Ann')));
    },
  },
  {
    name: 'stored model answer',
    plant: async (w) => {
      // The model says what the text does not.
      w.tools.answers.set(`about ${w.value.slice(-9)}`, {
        subject: 'Quill',
        predicate: 'admires',
        object: w.value,
      });
      const said = `Something was said about ${w.value.slice(-9)} today.`;
      await w.plant({ modality: 'conversation', content: { kind: 'message', role: 'user', text: said } });
    },
  },
  {
    name: 'declared belief',
    missedBy: UNMARKED,
    plant: async (w) => {
      await w.plant();
      const body = {
        scope: w.scope,
        subject: 'Quill',
        predicate: w.about.predicate,
        statement: `It holds ${w.value}.`,
        confidence: 0.9,
      };
      const belief = await w.sent('POST', '/v1/beliefs', body);
      w.planted.push(
        ...belief.supports.flatMap(({ type, id }: any) => (type === 'event' ? [id as string] : [])),
      );
    },
  },
  {
    name: 'conflict',
    missedBy: UNMARKED,
    plant: async (w) => {
      // Two values of one property for one time, one of them the value; settled with a reason that names it too.
      const from = { valid_from: '2024-01-01T00:00:00Z', valid_to: '2024-06-01T00:00:00Z' };
      await w.plant(triple(w, { object: literal('tea'), ...from }));
      await w.plant(triple(w, { object: literal(w.value), ...from }));
      const { items } = await w.sent('GET', `/v1/conflicts?scope=${encodeURIComponent(w.scope)}`);
      for (const { id, records } of items as any[]) {
        const settled = { action: 'pick', winner: records[0].id, reason: `Because of ${w.value}.` };
        const answer = await w.asked('POST', `/v1/conflicts/${id}/resolve`, { body: settled });
        // One that was not answered in time is settled all the same.
        if (answer.status !== 200 && answer.json.error_code !== 'CONFLICT_NOT_OPEN')
          throw new Error(answer.text);
        const event = await eventually('a conflict to be settled', async () => {
          const conflict = await w.sent('GET', `/v1/conflicts/${id}`);
          return conflict.resolved_by as string | null;
        });
        w.planted.push(event);
      }
    },
  },
];

/** Ways of an event, whatever it states. */
const BESIDE: readonly Way[] = [
  { name: 'label', plant: (w) => w.plant({ context: { labels: ['team:marked', w.value] } }) },
  {
    name: 'label of a team',
    plant: (w) => w.plant({ context: { labels: ['team:marked', `team:${w.value}`] } }),
  },
  { name: 'metadata', plant: (w) => w.plant({ metadata: { deep: [{ note: w.value }] } }) },
  { name: 'metadata key', plant: (w) => w.plant({ metadata: { [w.value]: 1 } }) },
  { name: 'actor', plant: (w) => w.plant({ observed_actor: { ...SPEAKER, id: `user:${w.value}` } }) },
  { name: 'intent', plant: (w) => w.plant({ context: { intent: `to find ${w.value}` } }) },
  { name: 'location', plant: (w) => w.plant({ context: { location: `at ${w.value}` } }) },
  { name: 'location object', plant: (w) => w.plant({ context: { location: { [w.value]: w.value } } }) },
  {
    name: 'time expression',
    plant: (w) =>
      w.plant({ context: { refers_to: { from: '2024-03-05', expr_original: `since ${w.value}` } } }),
  },
  { name: 'preceding id', plant: (w) => w.plant({ context: { preceded_by: [`evt_${w.value}`] } }) },
  { name: 'source', plant: (w) => w.plant({ source: { kind: 'chat', author: w.value } }) },
  { name: 'session', plant: (w) => w.plant({ observed_actor: { ...SPEAKER, session: w.value } }) },
  { name: 'idempotency key', plant: (w) => w.plant({ idempotency_key: `key-${w.value}` }) },
  { name: 'modality', plant: (w) => w.plant({ modality: `x-${w.value}` }) },
  {
    name: 'replaced',
    plant: async (w) => {
      const key = { idempotency_key: `same-${w.scope}`.slice(-60) };
      await w.plant({ ...triple(w, { object: literal(w.value) }), ...key });
      await w.plant({ ...triple(w, { object: literal('tea') }), ...key, on_conflict: 'replace' });
    },
  },
  {
    name: 'cancelled',
    plant: async (w) => {
      await w.plant();
      const id = await w.plant(triple(w, { object: literal(w.value) }));
      await w.sent('POST', `/v1/lifecycle/memory-event/${id}/cancel`, {});
    },
  },
];

/** A file belongs to whoever uploaded it, too: only an erasure takes it with its last event. */
const UPLOADED = {
  places: /^(Blob\b|BlobBody|BlobChunk|getBlob|query blob)/,
  why: 'a file stays with whoever uploaded it',
  unless: ['erasure'],
};

/** Ways of an event that states nothing. */
const SAID: readonly Way[] = [
  { name: 'text', states: false, plant: (w) => w.plant(text(w.value)) },
  {
    name: 'message',
    states: false,
    plant: (w) =>
      w.plant({
        modality: 'conversation',
        content: { kind: 'message', role: 'user', text: `It was ${w.value} whom they met.` },
      }),
  },
  { name: 'feedback', states: false, plant: (w) => w.plant({ modality: 'feedback', ...text(w.value) }) },
  {
    name: 'json',
    states: false,
    plant: (w) => w.plant({ content: { kind: 'json', data: { at: [w.value] } } }),
  },
  {
    name: 'json key',
    states: false,
    plant: (w) => w.plant({ content: { kind: 'json', data: { [w.value]: { [w.value]: 1 } } } }),
  },
  {
    name: 'subject',
    states: false,
    plant: (w) => {
      w.about.subject = w.value;
      return w.plant(text('a meeting'));
    },
  },
  {
    name: 'blob',
    states: false,
    stays: UPLOADED,
    plant: async (w) =>
      w.plant({ content: { kind: 'blob_ref', blob_id: await uploaded(w, `bytes of ${w.value}`) } }),
  },
  {
    name: 'keyed blob',
    states: false,
    stays: {
      ...UPLOADED,
      places: /^(Blob\b|BlobBody|BlobChunk|getBlob|query blob|keyedBlobStatus|query keyedBlob)/,
    },
    plant: async (w) => {
      w.things.key = `key-${w.value}`;
      const { blob_id } = await w.sent('POST', '/v1/blobs/idempotent', undefined, {
        body: `keyed bytes of ${w.value}`,
        type: 'text/plain',
        key: w.things.key,
      });
      w.things.blob = blob_id as string;
      return w.plant({ content: { kind: 'blob_ref', blob_id } });
    },
  },
  {
    name: 'media type',
    states: false,
    stays: UPLOADED,
    plant: async (w) =>
      w.plant({
        content: {
          kind: 'blob_ref',
          blob_id: await uploaded(w, `bytes of ${w.scope}`, `application/x-${w.value}`),
        },
      }),
  },
  {
    name: 'transcript',
    states: false,
    plant: async (w) =>
      w.plant({
        content: {
          kind: 'blob_ref',
          blob_id: await uploaded(w, `clip ${w.scope}`, 'audio/wav'),
          transcript: `Then ${w.value}.`,
        },
      }),
  },
  {
    name: 'media',
    states: false,
    stays: UPLOADED,
    plant: async (w) => {
      const media = [{ blob_id: await uploaded(w, `picture of ${w.value}`, 'image/png') }];
      await w.plant({
        modality: 'conversation',
        content: { kind: 'message', role: 'user', text: 'Look.', media },
      });
    },
  },
];

/** Ways that are no event's: what they leave is declared. */
const DECLARED: readonly Way[] = [
  {
    name: 'scope policy',
    plant: async (w) => {
      await w.plant();
      const path = encodeURIComponent(w.scope);
      await w.sent('POST', '/v1/scopes', { path: w.scope });
      const policies = { cardinality: { [w.value]: 'many' }, retention: { [`source:${w.value}`]: 'P9D' } };
      await w.sent('PUT', `/v1/scopes?path=${path}`, { policies });
    },
    stays: {
      places: /^(Scope|LogEntry|PolicyEntry)\b/,
      why: 'what a scope stated of derivation, by which others were derived',
    },
  },
  {
    name: 'time phrase',
    plant: async (w) => {
      await w.plant();
      const phrase = { name: `the days of ${w.value}`, anchor: 'today', expression: '-P14D..P0D' };
      await w.sent('POST', '/v1/temporal/phrases', phrase);
    },
    stays: { places: /^TemporalPhrase\b/, why: 'a phrase of the tenant, until it is removed by its name' },
  },
  {
    name: 'vocabulary',
    plant: async (w) => {
      await w.plant();
      // One for all worlds, since a tenant has few.
      const entry = { id: w.value, aliases: [`${w.value} too`], definition: `What ${w.value} is.` };
      await w.sent('PATCH', '/v1/vocabularies/leak', { terms: [entry], predicates: [entry] });
    },
    stays: {
      places: /^(Vocabulary|LogEntry|PolicyEntry)\b/,
      why: 'what a tenant calls things until it is removed, and by which others were derived',
    },
  },
];

/** Every way in. */
export const WAYS: readonly Way[] = [...STATED, ...BESIDE, ...SAID, ...DECLARED];
