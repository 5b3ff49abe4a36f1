import type { Wanted } from './queries.ts';

/** Which rows an address asks for. Of a scope also what lies below it, unless the address says `below=no`. */
export function wantedBy(scope: string | null, parameters: Readonly<Record<string, string>>): Wanted {
  const { actor = '', capability = '', decision, since = '', below } = parameters;
  return {
    actor: actor === '' ? null : actor,
    capability: capability === '' ? null : capability,
    decision: decision === 'allow' || decision === 'deny' ? decision : null,
    scope: scope === null || below === 'no' ? scope : `${scope}/*`,
    since: since === '' ? null : instantOf(since),
  };
}

/** A date stands for its beginning in UTC; an instant for itself, and what is neither is sent as it is, for the service to refuse. */
function instantOf(since: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(since) ? `${since}T00:00:00Z` : since;
}
