import type { View } from '../../schemas/scope.ts';
import type { ScopeRules, ScopeUses, ScopeWithRules, StatedUse } from './rules.ts';

/** Whether reads and writes of a scope leave rows in the audit log: by the scope, what it inherits from by name, then the nearest one above. */
export function auditOf(place: Pick<ScopeWithRules, 'levels'>): 'on' | 'off' {
  return statedIn(place, 'audit') ?? 'on';
}

/** The view of readings of a scope that name none, decided in the same order; null where nobody states one. */
export function defaultViewOf(place: Pick<ScopeWithRules, 'levels'>): View | null {
  return statedIn(place, 'default_view') ?? null;
}

function statedIn<Name extends keyof StatedUse>(
  { levels }: Pick<ScopeWithRules, 'levels'>,
  name: Name,
): StatedUse[Name] {
  const own = usesOf(levels.at(-1));
  const above = levels.slice(0, -1).reverse().map(usesOf);
  const sources = [own.own, ...own.named, ...above.map((level) => level.own)];
  return sources.find((stated) => stated[name] !== undefined)?.[name];
}

const NOTHING: ScopeUses = { own: {}, named: [] };

function usesOf(rules: ScopeRules | null | undefined): ScopeUses {
  return rules?.uses ?? NOTHING;
}
