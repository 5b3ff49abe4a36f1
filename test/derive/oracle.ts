import type { Statement } from '../../src/derive/claim.ts';

/**
 * The value in force at a valid instant as it was known at a recorded one, straight from the log and by nothing else: the
 * assertion that begins last has the say, unless it has ended, was denied since, or was said never to be true.
 */
export function valueAt(log: readonly Statement[], valid: number, recorded: number): string | null {
  const known = log.filter(({ recorded_at }) => recorded_at <= recorded);
  let says: Statement | null = null;
  for (const one of known) {
    if (one.kind !== 'asserted' || one.valid.from > valid) continue;
    if (displaced(known).has(one.id)) continue;
    const taken = known.some((n) => n.kind === 'never' && n.value === one.value && n.position > one.position);
    if (!taken && (says === null || one.valid.from >= says.valid.from)) says = one;
  }
  if (says === null || valid >= says.valid.to) return null;
  const { value, position } = says;
  const begins = says.valid.from;
  const denied = known.some(
    (n) =>
      n.kind === 'denied' &&
      n.value === value &&
      n.valid.from <= valid &&
      (n.valid.from > begins || (n.valid.from === begins && n.position > position)),
  );
  return denied ? null : value;
}

/** The statements that somebody decided against: by the first decision about a conflict that all is stated for. */
function displaced(known: readonly Statement[]): Set<string> {
  const settled = new Set<string>();
  const gone = new Set<string>();
  for (const { decision } of known) {
    if (decision === undefined || settled.has(decision.conflict_id)) continue;
    if (!decision.rests_on.every((id) => known.some((one) => one.id === id && one.kind === 'asserted')))
      continue;
    settled.add(decision.conflict_id);
    for (const id of decision.displaces) gone.add(id);
  }
  return gone;
}
