import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Projects of jest by how the names of their files end. */
const ENDINGS = {
  unit: '.unit.test.ts',
  api: '.int.test.ts',
  exclusive: '.exclusive.test.ts',
  long: '.long.test.ts',
} as const;

/** The test files that say more in a long run, by project: those that draw at random or ask how deep they go, themselves or by a module of theirs. */
export function deepFiles(): Record<keyof typeof ENDINGS, string[]> {
  const sources = filesBelow('test').filter((path) => path.endsWith('.ts'));
  const deep = new Set(sources.filter((path) => saysMore(path)));
  const asking = sources.filter(
    (path) => deep.has(path) || importsOf(path).some((imported) => deep.has(imported)),
  );
  const of = (files: readonly string[], ending: string): string[] =>
    files.filter((path) => path.endsWith(ending));
  return {
    unit: of(asking, ENDINGS.unit),
    api: of(asking, ENDINGS.api),
    exclusive: of(asking, ENDINGS.exclusive),
    long: of(sources, ENDINGS.long),
  };
}

function saysMore(path: string): boolean {
  return importsOf(path).some((imported) => ['depth.ts', 'property.ts'].includes(basename(imported)));
}

/** The modules of the tests that a file imports, by path. */
function importsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+\.ts)'/g)].map(([, name = '']) =>
    join(path, '..', name),
  );
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name));
}
