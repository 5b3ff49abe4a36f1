import type { Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { blobOf } from './blobs.ts';

// Clients send newer fields only where `GET /v1/admin/version` lists the capability: what is listed has to work, and what works to be listed.

const SCOPE = 'org:capabilities/user:ann';

let service: SharedService;
beforeAll(() => {
  service = sharedService();
});

const text = (words: string): object => ({ content: { kind: 'text', text: words } });

function write(more: object, wait = 'indexed'): Promise<Answer> {
  const envelope = { scope: SCOPE, modality: 'document', ...more };
  return service.post(`/v1/experience?wait=${wait}`, envelope);
}

/** The id of an event that is captured. */
async function captured(more: object, wait = 'indexed'): Promise<string> {
  const { status, json, text: answer } = await write(more, wait);
  if (status !== 202) throw new Error(`nothing was captured: ${answer}`);
  return json.event_id as string;
}

function recall(more: object): Promise<Answer> {
  return service.post('/v1/recall', { scope: SCOPE, view: 'local', include: ['events'], ...more });
}

/** The events that a recall brings. */
async function found(more: object): Promise<any[]> {
  const { status, json, text: answer } = await recall(more);
  if (status !== 200) throw new Error(`nothing was recalled: ${answer}`);
  return json.layers.events;
}

const brings = async (id: string, more: object): Promise<boolean> =>
  (await found(more)).some((event) => event.id === id);

async function read(id: string): Promise<any> {
  return (await service.get(`/v1/events/${id}`)).json;
}

/** An event about a heron that is indexed in several parts. */
function longEvent(name: string): Promise<string> {
  const filler = Array.from({ length: 200 }, (_, i) => `Line ${i} of the log says nothing of note.`).join(
    ' ',
  );
  return captured(text(`${filler} The heron of ${name} stood at the weir. ${filler}`));
}

/** A file, and the event that refers to it. */
async function filed(words: string): Promise<{ blob: string; event: string }> {
  const blob = await blobOf(service, words);
  return { blob, event: await captured({ content: { kind: 'blob_ref', blob_id: blob } }) };
}

/** Whether a file is gone with its event. */
async function goesWith(removal: (event: string) => Promise<Answer>, words: string): Promise<boolean> {
  const { blob, event } = await filed(words);
  const { status, text: answer } = await removal(event);
  if (status >= 300) throw new Error(`nothing was removed: ${answer}`);
  return (await service.request('DELETE', `/v1/blobs/${blob}`)).status === 404;
}

/** What each capability lets a client do, tried. */
const WORKS: Readonly<Record<string, () => Promise<boolean>>> = {
  blob_text_decode_v1: async () => {
    const { event } = await filed('A bittern hid among the reeds.');
    return brings(event, { query: 'bittern reeds' });
  },
  capture_language_v1: async () => {
    const id = await captured({ ...text('Der Eisvogel taucht.'), language: 'de', scripts: ['Latn'] });
    const { language, scripts, language_source } = await read(id);
    const { json } = await write({ ...text('x'), language: 'e' });
    const told = [language, scripts?.join(), language_source, json.error_code].join(' ');
    return told === 'de Latn explicit INVALID_ENVELOPE';
  },
  recall_language_v1: async () => {
    const hints = { query: 'Eisvogel', scripts: ['Latn'] };
    const statuses = [await recall({ ...hints, language: 'de' }), await recall({ ...hints, language: 'e' })];
    return statuses.map(({ status }) => status).join(' ') === '200 422';
  },
  query_variants_v1: async () => {
    const id = await captured(text('A cormorant dried its wings.'));
    return brings(id, { query: 'zeppelin', query_variants: [{ text: 'cormorant', language: 'en' }] });
  },
  temporal_lenient_v1: async () => {
    const temporal = { natural: 'when the cows come home' };
    const strict = await recall({ query: 'heron', temporal });
    const lenient = await recall({ query: 'heron', temporal: { ...temporal, natural_mode: 'lenient' } });
    return strict.json.error_code === 'UNPARSEABLE_TEMPORAL' && lenient.status === 200;
  },
  refers_to_v1: async () => {
    const id = await captured({
      ...text('The osprey comes back.'),
      context: { refers_to: { from: '2026-07-04' } },
    });
    const during = (from: string) =>
      brings(id, { query: 'osprey', temporal: { refers_during: { from, to: from } } });
    const kept = (await read(id)).context.refers_to !== undefined;
    return kept && (await during('2026-07')) && !(await during('2026-08'));
  },
  recall_diagnostics_v1: async () => {
    const id = await captured(text('A dipper bobbed.'));
    const { json } = await recall({ query: 'dipper', diagnostics: 'full' });
    const item = json.diagnostics.items?.find(({ event_id }: any) => event_id === id);
    return item?.channels?.bm25 !== undefined && json.diagnostics.channel_lists.length > 0;
  },
  matched_fragments_v1: async () => {
    const id = await longEvent('Lough Neagh');
    const hit = (await found({ query: 'heron Lough Neagh weir', budgets: { max_tokens: 50_000 } })).find(
      (event) => event.id === id,
    );
    const [best] = hit?.matched_fragments ?? [];
    const words = hit?.content.text as string | undefined;
    return words?.slice(best?.byte_range.start, best?.byte_range.end).includes('Lough Neagh') ?? false;
  },
  budget_excerpt_v1: async () => {
    const id = await longEvent('Loch Garten');
    const hit = (await found({ query: 'heron Loch Garten weir', budgets: { max_tokens: 80 } })).find(
      (event) => event.id === id,
    );
    const { _partial_reason: reason, text: excerpt } = hit?.content ?? {};
    return reason === 'budget_excerpt' && (excerpt as string).includes('Loch Garten');
  },
  // Of a forget as well as of an erasure, as clients take it.
  erasure_blob_cascade_v1: async () => {
    const selector = (event: string) => ({ scope: SCOPE, selector: { memory_ids: [event] } });
    const erased = await goesWith((event) => service.post('/v1/erasures', selector(event)), 'one');
    const forgotten = await goesWith(
      (event) => service.post('/v1/forget', { ...selector(event), cascade: 'redact_events' }),
      'two',
    );
    return erased && forgotten;
  },
  event_scope_filter_v1: async () => {
    const id = await captured(text('A grebe dived.'));
    const within = async (scope: string) => (await service.get(`/v1/events/${id}?scope=${scope}`)).status;
    return (await within(SCOPE)) === 200 && (await within('org:capabilities')) === 404;
  },
  on_conflict_replace_v1: async () => {
    const key = { idempotency_key: 'capability-replace' };
    const former = await captured({ ...text('The ford is open.'), ...key });
    const { json } = await write({ ...text('The ford is closed.'), ...key, on_conflict: 'replace' });
    return json.replaces === former && (await service.get(`/v1/events/${former}`)).status === 404;
  },
  metadata_v1: async () => {
    const metadata = { sheet: { row: 7 }, tags: ['a', null] };
    const id = await captured({ ...text('A teal whistled.'), metadata });
    return JSON.stringify((await read(id)).metadata) === JSON.stringify(metadata);
  },
  scores_v1: async () => {
    await captured(text('A wigeon grazed.'));
    const [hit] = await found({ query: 'wigeon' });
    return hit.score > 0 && hit.score <= 1 && hit.matched_by.includes('keyword');
  },
  as_of_axes_v1: async () => {
    const subject = { type: 'entity', id: 'ent_gauge', name: 'Gauge' };
    const object = { type: 'literal', datatype: 'string', value: 'low' };
    const triple = { subject, predicate: 'water_level', object, valid_from: '2026-02-01T00:00:00Z' };
    await captured({ content: { kind: 'triple', triple } }, 'consolidated');
    const count = async (axis: string): Promise<number> =>
      (await service.get(`/v1/facts?scope=${SCOPE}&subject=ent_gauge${axis}`)).json.items.length;
    const counts = [
      await count(''),
      await count('&as_of_valid=2026-02-02T00:00:00Z'),
      await count('&as_of_valid=2026-01-31T00:00:00Z'),
      await count('&as_of_recorded=2026-02-02T00:00:00Z'),
    ];
    return counts.join() === '1,1,0,0';
  },
  graphql_v1: async () => {
    const { json } = await service.post('/graphql', { query: '{ version { capabilities } }' });
    return json.data.version.capabilities.includes('graphql_v1');
  },
};

async function listed(): Promise<string[]> {
  return (await service.get('/v1/admin/version')).json.capabilities;
}

describe('the capabilities of a server', () => {
  it.each(Object.entries(WORKS))('%s is listed where it works, and nowhere else', async (name, works) => {
    expect([name, (await listed()).includes(name)]).toEqual([name, await works()]);
  });

  it('are listed once, and none that is not tried here', async () => {
    const names = await listed();
    expect(names).toEqual(Object.keys(WORKS).filter((name) => names.includes(name)));
  });
});
