import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ALPHABETS, HEAD_BITS } from '../../src/local-neo4j/scan/alphabets.ts';
import { scanDirectory, type Find } from '../../src/local-neo4j/scan/scan.ts';
import { freshFolder, removeFolders } from './support.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshFolder();
});
afterAll(removeFolders);

const STORE = 'neo4j/data/databases/neo4j/neostore.propertystore.db';
const LOG = 'neo4j/data/transactions/neo4j/neostore.transaction.db.0';
const TEXT = 'zanzibar quokka';

function put(path: string, ...parts: readonly (Buffer | string)[]): void {
  mkdirSync(dirname(join(dataDir, path)), { recursive: true });
  writeFileSync(join(dataDir, path), Buffer.concat(parts.map((part) => Buffer.from(part as string))));
}

async function scan(...texts: string[]): Promise<{ finds: Find[]; excluded: readonly string[] }> {
  const finds: Find[] = [];
  const report = await scanDirectory(dataDir, texts, {
    onFind: (find) => finds.push(find),
    tell: () => undefined,
    signal: new AbortController().signal,
  });
  expect(report.finds).toBe(finds.length);
  return { finds, excluded: report.excluded };
}

const shown = ({ file, offset, text, form, place }: Find): string =>
  `${file}:${offset} ${text} ${form} ${place}`;
const shownFinds = async (...texts: string[]): Promise<string[]> => (await scan(...texts)).finds.map(shown);

describe('forms', () => {
  it.each([
    ['utf-8', Buffer.from(TEXT)],
    ['utf-16le', Buffer.from(TEXT, 'utf16le')],
    ['utf-16be', Buffer.from(TEXT, 'utf16le').swap16()],
  ] as const)('finds %s', async (form, bytes) => {
    put('strata.log', 'before ', bytes, ' after');
    expect(await shownFinds(TEXT)).toEqual([`strata.log:7 0 ${form} own_file`]);
  });

  it.each(['', 'a', 'ab'])('finds base64 behind %j', async (before) => {
    put('dump', Buffer.from(`${before}${TEXT} and more`).toString('base64'));
    expect((await scan(TEXT)).finds).toMatchObject([{ form: 'base64' }]);
  });

  it('finds what JSON escapes, with letters as they are or as numbers', async () => {
    put(
      'own.json',
      JSON.stringify('say "Zürich"!'),
      String.raw`say \"Z\u00fcrich\"!`,
      String.raw`say \"Z\u00FCrich\"!`,
    );
    expect((await scan('say "Zürich"!')).finds.map(({ form }) => form)).toEqual(['json', 'json', 'json']);
  });

  it('tells apart what differs by one byte', async () => {
    put('strata.log', 'zanzibar quokkb zanzibar quokk zanzibar_quokka');
    expect(await shownFinds(TEXT)).toEqual([]);
  });

  it('finds a long text by any 48 bytes in a row of a record', async () => {
    const long = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
    put('rest', long.slice(60, 60 + 96));
    expect((await scan(long)).finds.length).toBeGreaterThan(0);
  });
});

describe('files', () => {
  it('finds what lies across two reads, once', async () => {
    const chunk = 4 * 1024 * 1024;
    for (const shift of [1, TEXT.length - 1, TEXT.length, 0])
      put(`neo4j/logs/${shift}.log`, Buffer.alloc(chunk - shift), TEXT, Buffer.alloc(100));
    const finds = (await scan(TEXT)).finds.map(({ file, offset }) => [file, offset]);
    expect(finds).toEqual([
      ['neo4j/logs/0.log', chunk],
      ['neo4j/logs/1.log', chunk - 1],
      ['neo4j/logs/14.log', chunk - 14],
      ['neo4j/logs/15.log', chunk - 15],
    ]);
  });

  it('says of each what it is, and passes caches over', async () => {
    const places = {
      [STORE]: 'store',
      'neo4j/data/databases/neo4j/schema/index/range-1.0/3/index-3': 'index_segment',
      [LOG]: 'transaction_log',
      'neo4j/logs/debug.log': 'database_log',
      'neo4j/hs_err_pid1.log': 'database_log',
      'neo4j/conf/neo4j.conf': 'database_file',
      'neo4j-old/data/databases/neo4j/neostore.nodestore.db': 'purge_rest',
      'neo4j-new/neo4j/data/x': 'purge_rest',
      'operator-key': 'own_file',
    };
    for (const path of Object.keys(places)) put(path, TEXT);
    put('embedding-bge/model', TEXT);
    put('neo4j-2026.09.0/lib/x.jar', TEXT);
    const { finds, excluded } = await scan(TEXT);
    expect(Object.fromEntries(finds.map(({ file, place }) => [file, place]))).toEqual(places);
    expect(excluded).toEqual(['embedding-bge', 'neo4j-2026.09.0']);
  });

  it('looks for many texts at once', async () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `text number ${at}.`);
    put('strata.log', ...texts.toReversed());
    const { finds } = await scan(...texts);
    expect(finds.map(({ text }) => text)).toEqual(texts.map((_, at) => 999 - at));
  });
});

/** Blocks of properties as a server of 2026.09 wrote them: into its store with the highest byte first, into its log with the lowest. */
const STORED: readonly (readonly [text: string, hex: string])[] = [
  ['edgequokka', '894e42944b000016000000000015adf5'],
  ['2031-04-17', '060981141b00000a00000000000038e2'],
  ['quokka@zanzi.bar', '5adf58a05b00000c004822e274e0ebe1'],
  ['bytequokka', 'd3ce21ca2c00001500030ebd7bfaf1cb'],
];
const LOGGED: readonly (readonly [text: string, hex: string])[] = [
  ['Zänzibar!', '100000ab122d7237bd34b130b9100000'],
  ['zanzibar-quokka', '0b00004b1e1d9c4e22c81eeb5b2b0000'],
  ['8675309123', '0d00001b14b4ab810c19000000000000'],
  ['Zanzibar Quokka 77', '0f00007b242d74f5540c6520aadf750d81be070000000000'],
];

/** A page of properties with such blocks in a record of its own, behind the first one. */
function pageOf(blocks: Buffer): Buffer {
  const page = Buffer.alloc(8192);
  blocks.copy(page, 41 + 9);
  return page;
}

describe('packed texts', () => {
  it.each(STORED)('%s is found in the store', async (text, hex) => {
    put(STORE, Buffer.alloc(8192), pageOf(Buffer.from(hex, 'hex')));
    expect(await shownFinds(text)).toEqual([`${STORE}:${8192 + 50} 0 packed store`]);
    expect(await shownFinds(text.slice(1, -1))).toEqual([`${STORE}:${8192 + 50} 0 packed store`]);
    expect(await shownFinds(`${text}x`)).toEqual([]);
  });

  it.each(LOGGED)('%s is found in a transaction log', async (text, hex) => {
    put(LOG, Buffer.alloc(13, 7), Buffer.from(hex, 'hex'));
    expect(await shownFinds(text)).toEqual([`${LOG}:13 0 packed transaction_log`]);
    expect(await shownFinds(text.toUpperCase() === text ? `${text}0` : text.toUpperCase())).toEqual([]);
  });

  it.each(ALPHABETS.map((alphabet) => [alphabet.number, alphabet] as const))(
    'of alphabet %i is found where its head was overwritten',
    async (_number, { bits, characters }) => {
      const all = characters.filter((one) => one !== undefined).join('');
      const text = all.slice(-12);
      let stream = 0n;
      Array.from(`xxxx${text}`).forEach((character, at) => {
        const code = BigInt(Math.max(0, characters.indexOf(character)));
        stream |= code << BigInt(HEAD_BITS + at * bits);
      });
      const blocks = [0n, 1n, 2n, 3n].map((block) => (stream >> (64n * block)) & 0xffff_ffff_ffff_ffffn);
      const bytes = Buffer.alloc(32);
      // The first block is what the removal of a property overwrites; of these characters four stood in it at most.
      blocks.forEach((block, at) => bytes.writeBigUInt64BE(at === 0 && bits >= 7 ? 0n : block, at * 8));
      put(STORE, Buffer.alloc(8192), pageOf(bytes));
      expect((await scan(text)).finds).toMatchObject([{ form: 'packed_rest', place: 'store' }]);
    },
  );
});

describe('long values', () => {
  const long = Array.from({ length: 60 }, (_, at) => `Wort${at}`).join(' ');
  const content = (at: number): Buffer => Buffer.from(long.slice(at * 120, (at + 1) * 120).padEnd(120, '\0'));

  /** A record of a chain: what it says of itself, and its part. */
  function record(at: number, next: number, isInUse: boolean): Buffer {
    const head = Buffer.alloc(8);
    head.writeUInt32BE((isInUse ? 0x1000_0000 : 0) + 120, 0);
    head.writeUInt32BE(next, 4);
    return Buffer.concat([head, content(at)]);
  }

  it.each([true, false])('are found across records that follow one another, in use: %s', async (isInUse) => {
    put(
      `${STORE}.strings`,
      Buffer.alloc(128),
      record(0, 2, isInUse),
      record(1, 0xffff_ffff, isInUse),
      Buffer.alloc(8192 - 384),
    );
    expect(await shownFinds('Wort17 Wort18')).toEqual([`${STORE}.strings:${256 - 47 + 36} 0 utf-8 store`]);
  });

  it('are found across records that lie on other pages', async () => {
    const pages = Buffer.alloc(3 * 8192);
    record(0, 140, true).copy(pages, 128);
    record(1, 0xffff_ffff, true).copy(pages, 2 * 8192 + (140 - 128) * 128);
    put(`${STORE}.strings`, pages);
    expect((await scan('Wort17 Wort18')).finds).toHaveLength(1);
  });

  it('are found across records of a transaction log', async () => {
    const head = (id: number, next: number): Buffer => {
      const bytes = Buffer.alloc(25);
      bytes.writeUInt32LE(id, 0);
      bytes.writeUInt32LE(9, 8);
      bytes.writeUInt8(3, 12);
      bytes.writeUInt32LE(120, 13);
      bytes.writeUInt32LE(next, 17);
      return bytes;
    };
    put(LOG, 'x', head(7, 8), content(0), head(8, 9), content(1));
    expect(await shownFinds('Wort17 Wort18')).toEqual([
      expect.stringMatching(/:\d+ 0 utf-8 transaction_log$/),
    ]);
  });
});
