import type { Reader } from './driver.ts';
import { statement } from './statement.ts';

const exists = statement<{ tenant: string; ref: string; below: string }, { found: boolean }>(
  'scope.exists_at_or_below',
  'constraint scope_ref, index scope_path',
  `OPTIONAL MATCH (s:Scope {ref: $ref})
   WITH s IS NOT NULL AS here
   RETURN here OR EXISTS { MATCH (s:Scope) WHERE s.tenant = $tenant AND s.path STARTS WITH $below } AS found`,
);

/** Reads scopes. */
export class ScopeReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Whether a scope, or one below it, was written to before. */
  async existsAtOrBelow(tenant: string, path: string, ref: string): Promise<boolean> {
    return (await this.reader.read(exists, { tenant, ref, below: `${path}/` }))[0]?.found ?? false;
  }
}
