import type { ClaimRecordReader } from '../../graph/claim/record.ts';
import type { ConflictReader } from '../../graph/conflict.ts';
import {
  claimHistoryQuery,
  claimListQuery,
  MAX_CLAIM_CONFLICTS,
  type ClaimHistory,
  type ClaimListQuery,
  type ClaimPage,
  type ClaimRecord,
} from '../../schemas/claim.ts';
import type { FactItem, FactListQuery } from '../../schemas/fact.ts';
import { FIRST_INSTANT, firstInstantOf, OPEN_END } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import { toClaimRecord } from '../derive/claim/record.ts';
import { toConflictView } from '../derive/conflict-view.ts';
import type { StoredFact } from '../derive/fact-item.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { StrataError } from '../errors.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import { isEmpty, overlap, type Interval } from '../time/interval.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import { FactListing, type FactListingParts } from './fact-listing.ts';
import { parseQuery } from './query-input.ts';
import type { SelectionService } from './scope-selection.ts';

/** What the service needs. */
export interface ClaimParts extends FactListingParts {
  readonly selection: SelectionService;
  readonly records: ClaimRecordReader;
  readonly conflicts: ConflictReader;
  readonly clock: Clock;
}

/** What a query asks of time; instants are epoch milliseconds. */
interface AskedTimes {
  readonly valid: number | null;
  readonly recorded: number;
  /** Stretches that facts have to meet; null for none. */
  readonly during: Interval | null;
  readonly known: Interval | null;
}

/** Whatever was known, as known now. */
const ALL_TIMES: AskedTimes = { valid: null, recorded: KNOWN_NOW, during: null, known: null };

/** Facts of a page as records, with the claims that they are of. */
interface Shown {
  readonly records: ClaimRecord[];
  readonly facts: readonly FactItem[];
  readonly claims: readonly string[];
  readonly has_more: boolean;
  readonly next_cursor?: string | undefined;
  readonly ambiguous: readonly AmbiguousName[];
}

/** Tells what is claimed: facts, record by record. */
export class ClaimService {
  private readonly parts: ClaimParts;
  private readonly listing: FactListing;

  constructor(parts: ClaimParts) {
    this.parts = parts;
    this.listing = new FactListing(parts);
  }

  /** A page of the records of a scope, newest first. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<ClaimPage> {
    const parsed = parseQuery(claimListQuery, query);
    const { scope, subject, predicate, limit, cursor } = parsed;
    const asked = { scope, subject, predicate, limit, cursor };
    const { records, has_more, next_cursor, ambiguous } = await this.page(call, asked, timesOf(parsed));
    return {
      items: records,
      records,
      has_more,
      ...(next_cursor === undefined ? {} : { next_cursor }),
      ...ambiguityOf(ambiguous),
    };
  }

  /** A page of all that was known of a subject and a predicate, newest first. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async history(call: Call, query: unknown): Promise<ClaimHistory> {
    const asked = parseQuery(claimHistoryQuery, query);
    const shown = await this.page(call, asked, null);
    const { records, facts, claims, has_more, next_cursor, ambiguous } = shown;
    const conflicts = await this.parts.conflicts.ofClaims(claims, MAX_CLAIM_CONFLICTS);
    const predicate = facts[0]?.predicate ?? (await this.spelt(call, asked.predicate));
    return {
      claim: {
        scope: asked.scope,
        subject: ambiguous[0]?.ids[0] ?? facts[0]?.subject.id ?? asked.subject,
        predicate,
      },
      items: records,
      history: records,
      conflicts: conflicts.map(toConflictView),
      has_more,
      ...(next_cursor === undefined ? {} : { next_cursor }),
      ...ambiguityOf(ambiguous),
    };
  }

  /** A predicate by which nothing is known there: what holds in the scope would tell that of one that the caller may not read. */
  private async spelt(call: Call, predicate: string): Promise<string> {
    const { tenant } = call.principal;
    const [spelling = predicate] = await this.parts.predicates.of({ tenant, paths: [], call }, predicate);
    return spelling;
  }

  private async page(
    call: Call,
    asked: Pick<FactListQuery, 'scope' | 'subject' | 'predicate' | 'limit' | 'cursor'>,
    times: AskedTimes | null,
  ): Promise<Shown> {
    const { valid, recorded, during, known } = times ?? ALL_TIMES;
    const now = this.parts.clock.now();
    const selection = await this.parts.selection.select(call, asked.scope, 'local');
    const anyTime = times === null || during !== null || known !== null;
    // Of a fact that others interrupted the last interval in the stretch is shown.
    const shown = during === null ? valid : during.to - 1;
    const stretch = during ?? { from: valid ?? now, to: (valid ?? now) + 1 };
    const keep = (fact: StoredFact): boolean =>
      overlap({ from: fact.valid_from, to: fact.valid_to }, stretch) &&
      (known === null || overlap({ from: fact.recorded_at, to: fact.ended_at ?? OPEN_END }, known));
    const { page } = await this.listing.page(
      call,
      selection,
      { ...asked, include_superseded: anyTime },
      { valid: shown ?? now, recorded },
      anyTime && times !== null ? keep : null,
    );
    const details = await this.parts.records.details(
      page.items.map(({ id }) => id),
      recorded,
    );
    // A fact that went between the two readings is left out, as it would be a moment later.
    const facts = page.items.filter(({ id }) => details.has(id));
    const found = facts.map((fact) => ({ fact, source: details.get(fact.id) }));
    return {
      records: found.flatMap(({ fact, source }) => (source ? [toClaimRecord(fact, source)] : [])),
      facts,
      claims: [...new Set(found.flatMap(({ source }) => source?.claim ?? []))],
      has_more: page.has_more,
      next_cursor: page.next_cursor,
      ambiguous: page.ambiguous_entity ?? [],
    };
  }
}

function timesOf(query: ClaimListQuery): AskedTimes {
  const { valid_as_of, known_as_of, valid_during, recorded_during } = query;
  if (valid_as_of !== undefined && valid_during !== undefined) throw clash('valid_during', 'valid_as_of');
  if (known_as_of !== undefined && recorded_during !== undefined)
    throw clash('recorded_during', 'known_as_of');
  const known = stretchOf('recorded_during', recorded_during);
  const recorded = known_as_of === undefined ? null : firstInstantOf(known_as_of);
  return {
    valid: valid_as_of === undefined ? null : firstInstantOf(valid_as_of),
    recorded: Math.min(recorded ?? (known === null ? KNOWN_NOW : known.to - 1), KNOWN_NOW),
    during: stretchOf('valid_during', valid_during),
    known,
  };
}

function stretchOf(field: string, text: string | undefined): Interval | null {
  if (text === undefined) return null;
  const [from = '', to = ''] = text.split('..');
  const stretch = {
    from: from === '' ? FIRST_INSTANT : firstInstantOf(from),
    to: to === '' ? OPEN_END : firstInstantOf(to),
  };
  if (isEmpty(stretch)) throw unfit(field, 'does not end behind its beginning');
  return stretch;
}

function clash(field: string, other: string): StrataError {
  return unfit(field, `does not go with ${other}`);
}

function unfit(field: string, reason: string): StrataError {
  return new StrataError('INVALID_QUERY', `${field}: ${reason}`, { details: { field_path: field, reason } });
}
