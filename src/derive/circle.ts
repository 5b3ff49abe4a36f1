/** By claim, the claims of which something was concluded from it. */
export type Conclusions = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The first premise of a conclusion about a claim that rests, over however many steps, on that claim, or is about it: with it the
 * conclusion would rest on itself. -1 where there is none. What always holds, such as an event, is null.
 */
export function circularPremise(
  claim: string,
  premises: readonly (string | null)[],
  conclusions: Conclusions,
): number {
  const rest = new Set([claim]);
  for (const on of rest) for (const concluded of conclusions.get(on) ?? []) rest.add(concluded);
  return premises.findIndex((premise) => premise !== null && rest.has(premise));
}
