import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { ForgetPreviews, type StoredPreview } from '../../graph/forget/preview.ts';
import { migrate } from '../../graph/migrate.ts';
import { byLayer } from '../../src/forget/layers.ts';
import { systemIds } from '../../src/ids.ts';
import { FORGET_PREVIEW_PART_IDS } from '../../src/limits/forget.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

const NOW = 1_800_000_000_000;
const OWNER = { tenant: 'default', scope_ref: 'c1', actor: 'user:a', operation: 'forget' } as const;
const MANY = Array.from({ length: 2 * FORGET_PREVIEW_PART_IDS + 500 }, (_, i) => `evt_${i}`);

let driver: Driver;
let database: Database;
let previews: ForgetPreviews;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  previews = new ForgetPreviews(database);
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

const previewOf = (more: Partial<StoredPreview> = {}): StoredPreview => ({
  ...OWNER,
  id: systemIds.forgetPreview(),
  scope: 'user:a',
  asked: '{"selector":{"predicate":"likes"}}',
  cascade: 'derived_only',
  head: 12,
  digest: 'd'.repeat(64),
  expires_at: NOW + 1,
  selected: byLayer((layer) => (layer === 'facts' ? ['fact_1'] : [])),
  ...more,
});

describe('a preview', () => {
  it('has an id of its kind', () => {
    expect(systemIds.forgetPreview()).toMatch(/^fpvw_[0-9a-f]{32}$/);
  });

  it('is found as it was kept, in parts of bounded size', async () => {
    const selected = byLayer((layer) =>
      layer === 'events' ? MANY : layer === 'beliefs' ? ['belief_1', 'belief_2'] : [],
    );
    const preview = previewOf({ selected });
    await previews.keep(preview);
    await previews.keep(preview);
    expect(await previews.load(preview.id, OWNER, NOW)).toEqual(preview);
    const parts = await query<{ size: number }>(
      driver,
      'MATCH (n:ForgetPreviewPart {preview_id: $id}) RETURN size(n.ids) AS size ORDER BY n.number',
      { id: preview.id },
    );
    expect(parts.map(({ size }) => size)).toEqual([1_000, 1_000, 500, 2]);
  });

  it('with nothing selected is there too', async () => {
    const preview = previewOf({ selected: byLayer(() => []) });
    await previews.keep(preview);
    expect(await previews.load(preview.id, OWNER, NOW)).toEqual(preview);
  });

  it.each([
    ['tenant', 'other'],
    ['scope_ref', 'c2'],
    ['actor', 'user:b'],
    ['operation', 'erase'],
  ])('is not there for another %s', async (name, value) => {
    const preview = previewOf();
    await previews.keep(preview);
    const owner = { ...OWNER, [name]: value } as typeof OWNER;
    expect(await previews.load(preview.id, owner, NOW)).toBeNull();
    expect(await previews.load(preview.id, OWNER, NOW)).not.toBeNull();
  });

  it('is not there when it is over, or before all of it is', async () => {
    const preview = previewOf();
    await previews.keep(preview);
    expect(await previews.load(preview.id, OWNER, NOW + 1)).toBeNull();
    await query(driver, 'MATCH (n:ForgetPreviewPart {preview_id: $id}) DELETE n', { id: preview.id });
    expect(await previews.load(preview.id, OWNER, NOW)).toBeNull();
    expect(await previews.load('fpvw_unknown', OWNER, NOW)).toBeNull();
  });
});

describe('previews that are over', () => {
  const left = async (): Promise<unknown[]> =>
    query(driver, 'MATCH (n:ForgetPreview|ForgetPreviewPart) RETURN count(n) AS nodes');

  it('are removed in small transactions with all of their parts, and no others', async () => {
    await query(driver, 'MATCH (n:ForgetPreview|ForgetPreviewPart) DELETE n');
    await previews.keep(previewOf({ expires_at: NOW, selected: byLayer(() => MANY) }));
    const good = previewOf();
    await previews.keep(good);
    expect(await previews.sweep(NOW - 1, 4)).toBe(0);
    const sizes: number[] = [];
    for (let went = 4; went === 4;) sizes.push((went = await previews.sweep(NOW, 4)));
    expect(sizes).toEqual([4, 4, 4, 4, 0]);
    expect(await left()).toEqual([{ nodes: 2 }]);
    expect(await previews.load(good.id, OWNER, NOW)).toEqual(good);
  });
});
