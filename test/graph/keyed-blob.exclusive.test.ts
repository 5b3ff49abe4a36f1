import type { Driver } from 'neo4j-driver';

import { BlobWriter } from '../../graph/blob.ts';
import type { Database } from '../../graph/driver.ts';
import { KeyedBlobStore, type KeyOfBlob } from '../../graph/keyed-blob.ts';
import { migrate } from '../../graph/migrate.ts';
import { patientDatabase, query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

// How a key stands after whatever was written of it, crashes between two writes among them.

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const HASHES = { a: 'a'.repeat(64), b: 'b'.repeat(64) };

let driver: Driver;
let database: Database;
let keys: KeyedBlobStore;
let writer: BlobWriter;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, testDatabase().version);
  keys = new KeyedBlobStore(database);
  writer = new BlobWriter(database);
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

/** An upload under way. */
interface Upload {
  readonly which: keyof typeof HASHES;
  readonly body: { readonly id: string; readonly removeAt: number };
}

let numbered = 0;

/** A key with its uploads, at an instant that passes when it is told to. */
class Tried {
  readonly of: KeyOfBlob;
  now = NOW;

  constructor() {
    numbered += 1;
    this.of = { tenant: 'default', uploader: 'user:a', key_hash: `hash-${numbered}` };
  }

  /** Begins an upload; null where it may not go on. */
  async begin(which: Upload['which']): Promise<Upload | null> {
    numbered += 1;
    const body = { id: `body_${numbered}`, removeAt: this.now + HOUR };
    const bytes = { size_bytes: 1, content_type: 'text/plain', sha256: HASHES[which] };
    const begun = await keys.begin(this.of, { ...bytes, blobId: `blob_${numbered}`, body }, this.now);
    return begun.begins ? { which, body } : null;
  }

  /** Writes the bytes of an upload and ends it. */
  async end({ which, body }: Upload): ReturnType<KeyedBlobStore['keep']> {
    await writer.putChunk(body, 0, new Uint8Array([1]));
    const bytes = { size_bytes: 1, content_type: 'text/plain', sha256: HASHES[which], chunk_bytes: 1 };
    return keys.keep(this.of, bytes, body, this.now);
  }

  async state(): Promise<string> {
    const found = await keys.find(this.of, this.now, 0);
    return found === null ? 'unknown' : `${found.state} ${found.bytes?.sha256[0] ?? ''}`.trim();
  }

  async blob(): Promise<string> {
    return (await keys.find(this.of, this.now, 0))?.blob_id ?? '';
  }

  /** Removes what is due, as the service does in the background. */
  async sweep(): Promise<void> {
    while ((await writer.removeSome(this.now, 8)) !== null);
  }

  async use(event: string): Promise<void> {
    await query(
      driver,
      `MATCH (b:Blob {id: $blob}) CREATE (:BlobUse {blob_id: b.id, event_id: $event, tenant: 'default', scope: 'org:a'})`,
      { blob: await this.blob(), event },
    );
  }
}

/** Nodes and chunks of blobs that hold bytes, or a hash of them. */
async function left(): Promise<number> {
  const [row] = await query(
    driver,
    'MATCH (n) WHERE n:Blob OR n:BlobBody OR n:BlobChunk RETURN count(n) AS count',
  );
  return row!.count as number;
}

beforeEach(async () => {
  await query(
    driver,
    'MATCH (n) WHERE n:Blob OR n:BlobBody OR n:BlobChunk OR n:BlobUse OR n:KeyedBlob DETACH DELETE n',
  );
});

describe('an upload that broke off', () => {
  it('before its bytes were written, is gone on with under the same id', async () => {
    const one = new Tried();
    await one.begin('a');
    const id = await one.blob();
    expect(await one.state()).toBe('prepared a');
    expect(await one.begin('b')).toBeNull();
    const again = await one.begin('a');
    expect((await one.end(again!)).blob).toMatchObject({ id, held: true, sha256: HASHES.a });
    expect(await one.state()).toBe('live a');
  });

  it('after its bytes were written, is gone on with, and leaves bytes that go within an hour', async () => {
    const one = new Tried();
    const first = await one.begin('a');
    await writer.putChunk(first!.body, 0, new Uint8Array([1]));
    await one.end((await one.begin('a'))!);
    one.now += HOUR;
    await one.sweep();
    expect([await one.state(), await left()]).toEqual(['live a', 3]);
  });

  it('after its blob was made, was over', async () => {
    const one = new Tried();
    const upload = (await one.begin('a'))!;
    const first = await one.end(upload);
    expect(await one.end(upload)).toEqual(first);
    expect(await one.begin('a')).toBeNull();
  });

  it('is forgotten after an hour, so that other bytes may come', async () => {
    const one = new Tried();
    const late = (await one.begin('a'))!;
    one.now += HOUR;
    expect(await one.state()).toBe('abandoned');
    expect(await one.end(late)).toEqual({ blob: null, retired: false });
    await one.sweep();
    expect([await one.state(), await left()]).toEqual(['abandoned', 0]);
    expect((await one.end((await one.begin('b'))!)).blob?.sha256).toBe(HASHES.b);
    expect((await one.end(late)).blob?.sha256).toBe(HASHES.b);
  });
});

it('of two uploads of the same bytes whichever ends first makes the blob', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const one = new Tried();
    const uploads = [(await one.begin('a'))!, (await one.begin('a'))!];
    const made = await one.end(uploads[order[0]]!);
    expect(made.blob?.body_id).toBe(uploads[order[0]]!.body.id);
    expect(await one.end(uploads[order[1]]!)).toEqual(made);
  }
});

it('an upload whose key is retired meanwhile makes no blob', async () => {
  const one = new Tried();
  const upload = (await one.begin('a'))!;
  const id = await one.blob();
  expect(await keys.retire(one.of, one.now)).toEqual({ blob_id: id, gone: true });
  expect(await one.end(upload)).toEqual({ blob: null, retired: true });
  one.now += HOUR;
  await one.sweep();
  expect([await one.state(), await left()]).toEqual(['retired', 0]);
  expect(await one.begin('a')).toBeNull();
});

/** What a key stands at, by what was done. */
interface Model {
  state: 'unknown' | 'prepared' | 'live' | 'deleting' | 'retired' | 'abandoned';
  which: string;
  until: number;
  uses: number;
}

/** Does one step to a key, and to the model of it. */
async function stepOn(tried: Tried, model: Model, uploads: Upload[], step: string): Promise<void> {
  if (model.state === 'prepared' && tried.now >= model.until) model.state = 'abandoned';
  if (step === 'hour') tried.now += HOUR;
  else if (step === 'sweep') await tried.sweep();
  else if (step === 'a' || step === 'b') {
    const upload = await tried.begin(step);
    const fresh = model.state === 'unknown' || model.state === 'abandoned';
    const begins = fresh || (model.state === 'prepared' && model.which === step);
    expect(upload !== null).toBe(begins);
    if (upload === null) return;
    uploads.push(upload);
    Object.assign(model, { state: 'prepared', which: step, until: upload.body.removeAt });
  } else if (step === 'end first' || step === 'end last') {
    const upload = step === 'end first' ? uploads.shift() : uploads.pop();
    if (upload === undefined) return;
    const { blob } = await tried.end(upload);
    const good = tried.now < upload.body.removeAt && upload.which === model.which;
    if (model.state === 'prepared' && good) model.state = 'live';
    expect(blob !== null).toBe(model.state === 'live');
  } else if (step === 'retire') {
    const retired = await keys.retire(tried.of, tried.now);
    expect(retired === null).toBe(model.state === 'unknown');
    if (retired === null) return;
    const stays = model.uses > 0 && (model.state === 'live' || model.state === 'deleting');
    model.state = stays ? 'deleting' : 'retired';
    expect(retired.gone).toBe(!stays);
  } else if (step === 'use' && model.state === 'live') {
    model.uses += 1;
    await tried.use(`event ${model.uses}`);
  }
}

it('stands as it has to after any course of things', async () => {
  const step = fc.constantFrom('a', 'a', 'b', 'end first', 'end last', 'retire', 'use', 'hour', 'sweep');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const [tried, uploads] = [new Tried(), [] as Upload[]];
      const model: Model = { state: 'unknown', which: '', until: 0, uses: 0 };
      for (const one of steps) {
        await stepOn(tried, model, uploads, one);
        if (model.state === 'prepared' && tried.now >= model.until) model.state = 'abandoned';
        const named = ['prepared', 'live', 'deleting'].includes(model.state);
        expect(await tried.state()).toBe(named ? `${model.state} ${model.which}` : model.state);
      }
    }),
    { numRuns: inDepth(25, 400) },
  );
});
