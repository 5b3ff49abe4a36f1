import { RIGHTS } from '../api/queries.ts';
import { useQuery } from '../api/use-query.ts';
import { Note } from './notice.tsx';

/** A capability that the caller does not have, and who refuses it. */
export interface Missing {
  readonly capability: string;
  readonly tier: string;
}

/** Which of some capabilities the caller does not have in a scope, or in general; null until it is known, or where he may not know. */
export function useMissing(scope: string | null, capabilities: readonly string[]): readonly Missing[] | null {
  const { reading } = useQuery(RIGHTS, { scope });
  const decisions = reading.is === 'refused' ? undefined : reading.data?.effectivePolicy?.decisions;
  if (decisions === undefined) return null;
  return capabilities.flatMap((capability) => {
    const decision = decisions[capability];
    return decision?.decision === 'deny' ? [{ capability, tier: decision.decided_by_tier }] : [];
  });
}

/** Says what the caller may not do here, and for want of what; nothing where he may. */
export function MissingRights({
  missing,
  what,
}: {
  readonly missing: readonly Missing[] | null;
  /** What cannot be done, as it follows on “You may not”. */
  readonly what: string;
}) {
  if (missing === null || missing.length === 0) return null;
  return (
    <Note>
      <p>
        You may not {what} here:{' '}
        {missing.map(({ capability, tier }, i) => (
          <span key={capability}>
            {i > 0 && ', '}
            the capability <code>{capability}</code> is refused by the tier {tier}
          </span>
        ))}
        .
      </p>
    </Note>
  );
}
