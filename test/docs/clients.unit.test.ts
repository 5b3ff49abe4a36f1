import { readdirSync, readFileSync } from 'node:fs';

import { clientsTable, HELD, heldTable } from '../support/reference/clients.ts';

const TESTS = new URL('../', import.meta.url);
const page = readFileSync(new URL('../docs/clients.md', TESTS), 'utf8');
const CASE = /^\s*(?:it(?:\.\w+)?\(\s*)?'([^']*published clients[^']*)',/gm;

function partOf(name: string): string {
  return new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n<!-- /${name} -->`).exec(page)?.[1] ?? '';
}

describe('the page about clients', () => {
  it.each([
    ['clients', clientsTable],
    ['held', heldTable],
  ])('has the table of %s that the operations and the tests make', (name, table) => {
    expect(partOf(name).split('\n')).toEqual(table().split('\n'));
  });

  it.each(HELD)('names a case that there is: $title', ({ file, title }) => {
    expect(readFileSync(new URL(file, TESTS), 'utf8')).toContain(`'${title}'`);
  });

  it('leaves out no case whose title speaks of them', () => {
    const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) =>
        [...readFileSync(new URL(file, TESTS), 'utf8').matchAll(CASE)].map(([, title]) => title),
      );
    expect(found.length).toBeGreaterThan(0);
    expect(HELD.map(({ title }) => title)).toEqual(expect.arrayContaining(found));
  });
});
