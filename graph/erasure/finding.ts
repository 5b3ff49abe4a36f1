/** What was found in a place, where nothing should be. */
export interface SweepFinding {
  readonly place: string;
  readonly count: number;
}

/** Adds what a statement counted in a place. */
export function note(
  findings: Map<string, number>,
  place: string,
  rows: readonly { readonly count: number }[],
): void {
  const count = rows[0]?.count ?? 0;
  if (count > 0) findings.set(place, (findings.get(place) ?? 0) + count);
}

/** The places in which something was found. */
export function listOf(findings: ReadonlyMap<string, number>): SweepFinding[] {
  return [...findings].map(([place, count]) => ({ place, count }));
}

/** What of a frame `n` about an event says more than that it was forgotten. */
export const FRAME_SAYS_MORE = `(n.data IS NOT NULL OR n.modality IS NOT NULL OR (n.actor IS NOT NULL AND n.type <> 'forgotten'))`;
