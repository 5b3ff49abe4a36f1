import { StrataError } from '../src/errors.ts';
import {
  MAX_GRAPHQL_ANSWER_BYTES,
  MAX_GRAPHQL_BULKS,
  MAX_GRAPHQL_MUTATIONS,
  MAX_GRAPHQL_PAGES,
} from '../src/limits.ts';

/** A limit that shows itself only while an operation runs: `INVALID_QUERY`, `details.reason` names it. */
export class OverBudget extends StrataError {
  constructor(reason: string, limit: number, message: string) {
    super('INVALID_QUERY', message, { details: { reason, limit } });
  }
}

/**
 * What one operation may still do; of a subscription, one frame of it. Every method throws {@link OverBudget} once its limit
 * is exceeded.
 */
export class OperationBudget {
  private pages = 0;
  private mutations = 0;
  private bulks = 0;
  private bytes = 0;
  private exceeded: OverBudget | null = null;

  /** Counts a page. */
  takePage(): void {
    this.pages += 1;
    refuseAbove(MAX_GRAPHQL_PAGES, this.pages, 'pages', 'reads at most %d pages');
  }

  /** Counts a field that writes. */
  takeMutation(): void {
    this.mutations += 1;
    refuseAbove(MAX_GRAPHQL_MUTATIONS, this.mutations, 'mutations', 'has at most %d mutation fields');
  }

  /** Counts a bulk, which is a field that writes too. */
  takeBulk(): void {
    this.takeMutation();
    this.bulks += 1;
    refuseAbove(MAX_GRAPHQL_BULKS, this.bulks, 'bulks', 'captures at most %d bulk');
  }

  /** Counts a field of the answer: its name and, of a leaf, its value. */
  print(name: string, value: unknown): void {
    this.bytes += name.length + 4 + printedLength(value);
    if (this.bytes <= MAX_GRAPHQL_ANSWER_BYTES) return;
    this.exceeded ??= new OverBudget(
      'answer_bytes',
      MAX_GRAPHQL_ANSWER_BYTES,
      `an operation answers at most ${MAX_GRAPHQL_ANSWER_BYTES} bytes; ask for smaller pages or fewer fields`,
    );
    throw this.exceeded;
  }

  /** Begins another record of the answer: once an answer is too large, none is. */
  beginRecord(): void {
    if (this.exceeded !== null) throw this.exceeded;
  }
}

function refuseAbove(limit: number, count: number, reason: string, rule: string): void {
  if (count > limit) throw new OverBudget(reason, limit, `an operation ${rule.replace('%d', String(limit))}`);
}

/** About as many characters as a JSON value is printed with, without printing it. */
function printedLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + printedLength(item) + 1, 2);
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + 4 + printedLength(item), 2);
}
