import { readdirSync } from 'node:fs';

import { STORE_SCHEMA } from '../../graph/schema.ts';
import { declaredStatements } from '../../graph/statement.ts';

/** The words that statements say they rely on; of the eight of one kind by level one stands for all. */
async function reliedOn(): Promise<ReadonlySet<string>> {
  const directory = new URL('../../graph/', import.meta.url);
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.ts')) await import(new URL(file, directory).href);
  return new Set([...declaredStatements().values()].flatMap(({ reliesOn }) => reliesOn.match(/\w+/g) ?? []));
}

it('each index and each constraint is named by a statement that needs it', async () => {
  const words = await reliedOn();
  const idle = STORE_SCHEMA.filter(({ name }) => !words.has(name)).map(({ name }) => name);
  expect(idle).toEqual([]);
});

it('each is declared once', () => {
  const names = STORE_SCHEMA.map(({ name }) => name);
  const columns = STORE_SCHEMA.map(({ label, properties }) => `${label}(${properties.join()})`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(columns).size).toBe(columns.length);
});
