import { readFileSync, writeFileSync } from 'node:fs';

import { GENERATED, partOf } from './reference/pages.ts';

// Writes the parts of docs/reference that are made from the code: npm run tables.

for (const { page, name, text } of GENERATED) {
  const path = new URL(`../../${page}`, import.meta.url);
  const before = readFileSync(path, 'utf8');
  const part = partOf(before, name);
  if (part === null) throw new Error(`${page} has no place for ${name}`);
  writeFileSync(path, `${before.slice(0, part.start)}${text().trimEnd()}\n${before.slice(part.end)}`);
}
