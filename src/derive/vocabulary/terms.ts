import { normalisedName } from '../entity.ts';
import { definedAt } from './definition.ts';
import type { VocabularyLayer } from './tenant.ts';

/**
 * The other names of what a name stands for in a scope, by the references of its levels, at an instant (epoch milliseconds): by the
 * vocabulary of the nearest scope that has the name, and of one scope the first. Empty where none has it.
 */
export function termNames(
  layers: readonly VocabularyLayer[],
  levels: readonly string[],
  instant: number,
): (name: string) => readonly string[] {
  const depthOf = ({ levels: own }: VocabularyLayer): number => own?.length ?? 0;
  const others = new Map<string, readonly string[]>();
  for (const layer of layers
    .filter(({ levels: own }) => own === null || levels.includes(own.at(-1) ?? ''))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a.name < b.name ? 1 : -1)))
    for (const [name, own] of namesIn(layer, instant)) others.set(name, own);
  return (name) => others.get(normalisedName(name)) ?? [];
}

function namesIn({ definitions }: VocabularyLayer, instant: number): Map<string, readonly string[]> {
  const meant = definedAt(definitions, instant);
  const names = new Map<string, Set<string>>();
  for (const { id, name, synonyms } of definitions) {
    const one = meant.get(id);
    if (one === undefined) continue;
    // What it is called first, so that it is what is looked for where not all of the names are.
    const own = names.get(one.id) ?? new Set([one.name]);
    for (const each of [name, ...synonyms]) own.add(each);
    names.set(one.id, own);
  }
  return new Map(
    [...names.values()].flatMap((own) =>
      [...own].map((name) => [name, [...own].filter((other) => other !== name)] as const),
    ),
  );
}
