import type { ConflictEvidence, ConflictReader, ReadConflict } from '../../graph/conflict.ts';
import type { PremiseReader } from '../../graph/premise.ts';
import {
  conflictGetQuery,
  conflictListQuery,
  resolveConflictBody,
  type ConflictPage,
  type ConflictView,
} from '../../schemas/conflict.ts';
import { NO_SCOPE, scopeRef } from '../capture/scope-key.ts';
import { toConflictView } from '../derive/conflict-view.ts';
import { normalisedName } from '../derive/entity.ts';
import { KnownNames, NEXT_PLACE } from '../derive/known-names.ts';
import { StrataError } from '../errors.ts';
import { MAX_RESOLVED_RECORDS } from '../limits.ts';
import { knownInstants, namedInstants } from '../time/as-of.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { resolutionOf, subjectNameIn } from './conflict-resolution.ts';
import type { Feedback } from './feedback.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';

/**
 * Steps between two places of the log in a cursor: so many conflicts may one statement open before paging passes over some. It
 * leaves room for eight thousand million events.
 */
const STEPS = 2 ** 20;
/** Behind the last place that a cursor can name. */
const END = 2 ** 33 - 1;

/** Status of a resolution in the audit log: the one that the operation answers with. */
const RESOLVED_STATUS = 200;

/** What the service needs. */
export interface ConflictParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly reader: ConflictReader;
  readonly names: Pick<PremiseReader, 'namedForms'>;
  readonly feedback: Pick<Feedback, 'give'>;
}

/** Tells what contradicts what, and takes how it is settled. */
export class ConflictService {
  private readonly access: AccessService;
  private readonly gate: RecordGate;
  private readonly reader: ConflictReader;
  private readonly names: ConflictParts['names'];
  private readonly feedback: Pick<Feedback, 'give'>;

  constructor(parts: ConflictParts) {
    this.access = parts.access;
    this.gate = parts.gate;
    this.reader = parts.reader;
    this.names = parts.names;
    this.feedback = parts.feedback;
  }

  /** A page of the conflicts of a scope, those first that were opened last. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<ConflictPage> {
    const { scope, status, limit, cursor, ...instants } = parseQuery(conflictListQuery, query);
    const { recorded } = namedInstants(instants);
    const { before, skip } = placeOf(cursor);
    const seen = await this.access.sees(call, 'scope.read.local', scope);
    // A scope that the caller may not know of is read as one in which nobody has stated anything.
    const ref = seen ? scopeRef(call.principal.tenant, scope) : NO_SCOPE;
    const open = status === 'open';
    const [found, total] = await Promise.all([
      this.reader.page(ref, { open, before, limit: limit + skip + 1, recorded }),
      this.reader.total(ref, open, recorded),
    ]);
    // What was shown of the place of the cursor; elsewhere nothing was.
    const shown = found.findIndex(({ position }) => position !== before);
    const start = shown === -1 ? Math.min(skip, found.length) : Math.min(skip, shown);
    const rows = found.slice(start, start + limit);
    const items = rows.map(toConflictView);
    const hasMore = found.length > start + limit;
    return {
      items,
      conflicts: items,
      total,
      has_more: hasMore,
      next_cursor: hasMore ? cursorBehind(rows, { before, skip: start }) : null,
    };
  }

  /**
   * Settles an open conflict; resolves when that is derived, with the conflict as it is then. Throws, in this order, `NOT_FOUND`,
   * `POLICY_DENIED`, `NOT_A_MEMBER`, `INVALID_BODY`, `CONFLICT_NOT_OPEN`, and what a capture throws.
   */
  async resolve(call: Call, id: string, body: unknown): Promise<ConflictView> {
    const { tenant } = call.principal;
    const place = (await this.gate.admitted(call, { kind: 'conflict', ids: [id], tenant })).get(id);
    if (place === undefined) throw notFound();
    await this.access.authorize(call, 'scope.write', place.scope);
    const found = await this.reader.withEvidence(id, tenant, MAX_RESOLVED_RECORDS);
    if (found === null) throw notFound();
    const parsed = parseInput(resolveConflictBody, body, 'INVALID_BODY');
    if (found.status !== 'open')
      throw new StrataError(
        'CONFLICT_NOT_OPEN',
        `The conflict is ${found.status}; only an open one can be settled.`,
        {
          details: { status: found.status },
        },
      );
    const conflict_resolution = resolutionOf(
      id,
      parsed,
      found,
      await this.namingOf(subjectNameIn(parsed), tenant, found),
    );
    const content = { kind: 'conflict_resolution' as const, conflict_resolution };
    await this.feedback.give(call, { scope: found.scope, content }, RESOLVED_STATUS);
    const after = await this.reader.byId(id, tenant);
    if (after === null) throw notFound();
    return toConflictView(after);
  }

  /** What a name stands for in the scope of a conflict by now: its subject, where that is one of those that have it. */
  private async namingOf(
    name: string | null,
    tenant: string,
    { scope, subject_id }: Pick<ConflictEvidence, 'scope' | 'subject_id'>,
  ): Promise<(name: string) => string> {
    const ref = scopeRef(tenant, scope);
    const sought =
      name === null ? [] : [{ scope_ref: ref, normalised_name: normalisedName(name), before: NEXT_PLACE }];
    const known = new KnownNames(await this.names.namedForms(sought));
    return (text) => {
      const { id, among } = known.resolve(ref, text, NEXT_PLACE);
      return among.includes(subject_id) ? subject_id : id;
    };
  }

  /** One conflict. Throws `NOT_FOUND`, `INVALID_QUERY`, `POLICY_DENIED`. */
  async get(call: Call, id: string, query: unknown): Promise<ConflictView> {
    const { recorded } = knownInstants(parseQuery(conflictGetQuery, query));
    const question = { kind: 'conflict', ids: [id] } as const;
    const [found] = await this.gate.read(call, question, async ([admitted = ''], tenant) => {
      const conflict = await this.reader.byId(admitted, tenant, recorded);
      return conflict === null ? [] : [conflict];
    });
    if (found === undefined) throw notFound();
    return toConflictView(found);
  }
}

function notFound(): StrataError {
  return new StrataError('NOT_FOUND', 'conflict not found');
}

interface ConflictCursor {
  readonly before: number;
  /** Conflicts at that place that were shown already. */
  readonly skip: number;
}

function placeOf(cursor: string | undefined): ConflictCursor {
  if (cursor === undefined) return { before: END, skip: 0 };
  const number = Number(cursor);
  const place = { before: Math.floor(number / STEPS), skip: number % STEPS };
  // A conflict takes two statements, so none was opened at the first place of the log: a small number is of another listing.
  if (Number.isSafeInteger(number) && place.before >= 1 && place.before <= END) return place;
  const reason = 'is not a cursor of this listing';
  throw new StrataError('INVALID_QUERY', `cursor: ${reason}`, { details: { field_path: 'cursor', reason } });
}

function cursorBehind(rows: readonly ReadConflict[], { before, skip }: ConflictCursor): number {
  const last = rows.at(-1)?.position ?? before;
  const same = rows.filter(({ position }) => position === last).length;
  return last * STEPS + same + (last === before ? skip : 0);
}
