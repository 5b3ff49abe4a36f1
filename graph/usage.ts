import type { ModelRole } from '../schemas/usage.ts';
import type { Reader, Writer } from './driver.ts';
import { int, statement, type Param } from './statement.ts';

/** What was spent on one scope at one call site on one model on one day. */
export interface UsageSum {
  readonly tenant: string;
  readonly scope_ref: string;
  readonly role: ModelRole;
  readonly model: string;
  /** Day of UTC, YYYY-MM-DD. */
  readonly day: string;
  readonly calls: number;
  readonly failed_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

// A tenant has sums of its own, so that they are read without those of its scopes. A scope's reference tells its tenant already.
const tenantRef = (tenant: string): string => `tenant ${tenant}`;

const add = statement<{ rows: readonly Param[] }, { added: number }>(
  'usage.add',
  'constraint usage_id',
  `UNWIND $rows AS row
   MERGE (u:Usage {id: row.id})
     ON CREATE SET u.ref = row.ref, u.tenant = row.tenant, u.day = row.day, u.role = row.role, u.model = row.model,
       u.calls = 0, u.failed_calls = 0, u.input_tokens = 0, u.output_tokens = 0
   SET u.calls = u.calls + row.calls, u.failed_calls = u.failed_calls + row.failed_calls,
     u.input_tokens = u.input_tokens + row.input_tokens, u.output_tokens = u.output_tokens + row.output_tokens
   RETURN count(u) AS added`,
);

/** Sums of a period. */
export type UsageRow = Omit<UsageSum, 'tenant' | 'scope_ref' | 'day'>;

const sums = statement<{ ref: string; from: string; role: string | null }, UsageRow>(
  'usage.sums',
  'index usage_ref: the days of one scope, or of one tenant as a whole',
  `MATCH (u:Usage) WHERE u.ref = $ref AND u.day >= $from AND ($role IS NULL OR u.role = $role)
   RETURN u.role AS role, u.model AS model, sum(u.calls) AS calls, sum(u.failed_calls) AS failed_calls,
     sum(u.input_tokens) AS input_tokens, sum(u.output_tokens) AS output_tokens`,
);

const users = statement<
  { refs: readonly string[] },
  { role: ModelRole; model: string; first: string; last: string }
>(
  'usage.users',
  'index usage_ref: the days of some scopes',
  `UNWIND $refs AS ref
   MATCH (u:Usage) USING INDEX SEEK u:Usage(ref, day) WHERE u.ref = ref AND u.day >= ''
   RETURN u.role AS role, u.model AS model, min(u.day) AS first, max(u.day) AS last`,
);

/** Keeps and reads what models cost. */
export class UsageStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Adds sums, all or none. Not to be repeated blindly: it adds. Errors are the driver's own. */
  async add(all: readonly UsageSum[]): Promise<void> {
    const rows = all.flatMap((sum) => [sum.scope_ref, tenantRef(sum.tenant)].map((ref) => ({ ref, ...sum })));
    const merged = new Map<string, (typeof rows)[number]>();
    for (const row of rows) {
      const id = JSON.stringify([row.ref, row.role, row.model, row.day]);
      const before = merged.get(id);
      merged.set(id, before === undefined ? row : { ...row, ...addedUp(before, row) });
    }
    // One order for everybody, so that two processes do not wait for each other.
    const ordered = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.writer.write(add, {
      rows: ordered.map(([id, { calls, failed_calls, input_tokens, output_tokens, ...row }]) => ({
        ...row,
        id,
        calls: int(calls),
        failed_calls: int(failed_calls),
        input_tokens: int(input_tokens),
        output_tokens: int(output_tokens),
      })),
    });
  }

  /** The models that were asked for some scopes, with the first and the last day (YYYY-MM-DD), in no order. */
  models(
    scopeRefs: readonly string[],
  ): Promise<{ role: ModelRole; model: string; first: string; last: string }[]> {
    return this.writer.read(users, { refs: scopeRefs });
  }

  /** What was spent from a day (YYYY-MM-DD) on, on a scope or (null) on a tenant as a whole, by call site and model, in no order. */
  sums(
    place: { tenant: string; scope_ref: string | null },
    from: string,
    role: ModelRole | null,
  ): Promise<UsageRow[]> {
    const ref = place.scope_ref ?? tenantRef(place.tenant);
    return (this.writer as Reader).read(sums, { ref, from, role });
  }
}

type Counts = Pick<UsageSum, 'calls' | 'failed_calls' | 'input_tokens' | 'output_tokens'>;

/** Counts of two sums together. */
export function addedUp(a: Counts, b: Counts): Counts {
  return {
    calls: a.calls + b.calls,
    failed_calls: a.failed_calls + b.failed_calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  };
}
