import type { Envelope } from '../../schemas/event.ts';
import type { Capability } from '../../schemas/policy.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { blobReferences } from '../capture/blob-refs.ts';
import { toEventRecord, type EventRecord } from '../capture/event-record.ts';
import type { Clock } from '../clock.ts';
import { heldSince } from '../derive/statement.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { inTurnsOver } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import type { BlobAccess } from './blob-access.ts';
import { PremiseCheck, type PremiseCheckParts } from './premise-check.ts';
import type { ScopeTypes } from './scope-types.ts';

/** What the check rests on. */
export interface CaptureCheckParts extends PremiseCheckParts {
  readonly access: AccessService;
  readonly blobs: BlobAccess;
  readonly scopeTypes: ScopeTypes;
  readonly ids: Pick<Ids, 'event'>;
  readonly clock: Clock;
}

/** An envelope on its way to be a record. */
interface Item {
  readonly envelope: Envelope;
  readonly record: EventRecord;
  /** What has to be allowed in its scope, in the order in which it is asked. */
  readonly needs: readonly Capability[];
  /** Why it is refused; the first reason that is found stays. */
  refusal: StrataError | null;
}

/** Decides which envelopes may be captured, in a handful of round trips however many they are. */
export class CaptureCheck {
  private readonly parts: CaptureCheckParts;
  private readonly premises: PremiseCheck;

  constructor(parts: CaptureCheckParts) {
    this.parts = parts;
    this.premises = new PremiseCheck(parts);
  }

  /**
   * The record of each envelope, or why it is refused: `POLICY_DENIED`, `NOT_A_MEMBER`, `UNREGISTERED_SCOPE_TYPE`,
   * `INVALID_BODY`. What the caller may do is decided again at the end, since the database was asked meanwhile: the answer is to be
   * committed at once. Throws `DATABASE_UNAVAILABLE`.
   */
  async check(call: Call, envelopes: readonly Envelope[]): Promise<(EventRecord | StrataError)[]> {
    const items = await inTurnsOver(envelopes, (envelope) => this.itemOf(call, envelope));
    await this.authorize(call, items);
    await this.checkScopeTypes(call, items);
    this.checkValidity(items);
    await this.checkPremises(call, items);
    await this.checkBlobs(call, items);
    await this.authorize(call, items);
    return items.map(({ record, refusal }) => refusal ?? record);
  }

  private itemOf({ principal }: Call, envelope: Envelope): Item {
    const { tenant, actor: caller } = principal;
    const record = toEventRecord(envelope, { id: this.parts.ids.event(), tenant, caller });
    const onBehalf = record.observed_actor !== caller;
    const aboutOther = envelope.subject !== undefined && record.subject !== record.observed_actor;
    const needs: Capability[] = [
      'scope.write',
      ...(onBehalf ? (['scope.write.on_behalf_of'] as const) : []),
      ...(aboutOther ? (['scope.write.about_other'] as const) : []),
    ];
    return { envelope, record, needs, refusal: null };
  }

  /** Each capability is decided once for each scope, from memory where the rules of the scope are remembered. */
  private async authorize(call: Call, items: readonly Item[]): Promise<void> {
    const { access } = this.parts;
    const scopes = scopesOf(items);
    const places = await access.placesOf(call, scopes);
    const placeOf = new Map(scopes.map((scope, i) => [scope, places[i]]));
    const decided = new Map<string, StrataError | null>();
    const refusalOf = (capability: Capability, scope: string): StrataError | null => {
      const pair = `${capability}\n${scope}`;
      const before = decided.get(pair);
      if (before !== undefined) return before;
      const place = placeOf.get(scope);
      if (place === undefined) throw new Error('a scope without a place');
      const refusal = refusalBy(() => {
        access.requireAt(call, capability, place);
      });
      decided.set(pair, refusal);
      return refusal;
    };
    for (const item of stillGood(items)) {
      for (const capability of item.needs) item.refusal ??= refusalOf(capability, item.envelope.scope);
    }
  }

  private async checkScopeTypes({ principal }: Call, items: readonly Item[]): Promise<void> {
    const { scopeTypes } = this.parts;
    // All in one turn, so that the database is asked about them together.
    const checked = scopesOf(items).map(async (scope): Promise<[string, StrataError | null]> => [
      scope,
      await scopeTypes.check(principal.tenant, scope, 'scope').then(() => null, asRefusal),
    ]);
    const refusals = new Map(await Promise.all(checked));
    for (const item of stillGood(items)) item.refusal = refusals.get(item.envelope.scope) ?? null;
  }

  private async checkPremises(call: Call, items: readonly Item[]): Promise<void> {
    const good = stillGood(items);
    const refusals = await this.premises.refusals(
      call,
      good.map(({ envelope }) => envelope),
    );
    good.forEach((item, i) => (item.refusal = refusals[i] ?? null));
  }

  /** What is left out of a validity is since when it holds, so that an end may lie before the beginning. */
  private checkValidity(items: readonly Item[]): void {
    for (const item of stillGood(items)) {
      const { content } = item.envelope;
      const { valid_from: from, valid_to: to } = content.kind === 'triple' ? content.triple : {};
      const recorded_at = this.parts.clock.now();
      const since = heldSince({ observed_at: item.record.observed_at ?? recorded_at, recorded_at });
      if (typeof from === 'string' || typeof to !== 'string' || toEpochMs(to) >= since) continue;
      const path = 'content.triple.valid_to';
      const reason =
        'lies before it was observed or recorded, from when on it holds where valid_from is left out';
      item.refusal = new StrataError('INVALID_BODY', `${path}: ${reason}`, {
        details: { field_path: path, reason },
      });
    }
  }

  private async checkBlobs(call: Call, items: readonly Item[]): Promise<void> {
    const ids = new Set(
      stillGood(items).flatMap(({ envelope }) =>
        blobReferences(envelope.content).map(({ blob_id }) => blob_id),
      ),
    );
    if (ids.size === 0) return;
    const refused = await this.parts.access.authorize(call, 'blob.read', null).then(() => null, asRefusal);
    const readable = await this.parts.blobs.readable(call, [...ids]);
    for (const item of stillGood(items)) {
      const references = blobReferences(item.envelope.content);
      const lost = references.find(({ blob_id }) => !readable.has(blob_id));
      if (references.length > 0 && refused !== null) item.refusal = refused;
      else if (lost !== undefined) item.refusal = unknownBlob(lost.path, lost.blob_id);
    }
  }
}

function stillGood(items: readonly Item[]): Item[] {
  return items.filter(({ refusal }) => refusal === null);
}

function scopesOf(items: readonly Item[]): string[] {
  return [...new Set(stillGood(items).map(({ envelope }) => envelope.scope))];
}

function unknownBlob(path: string, id: string): StrataError {
  return new StrataError('INVALID_BODY', `${path}: no such blob: ${id}`, {
    details: { field_path: path, reason: 'unknown id' },
  });
}

function refusalBy(work: () => void): StrataError | null {
  try {
    work();
    return null;
  } catch (error) {
    return asRefusal(error);
  }
}

/** What a caller is refused with; a fault of the service or of the database is thrown on. */
function asRefusal(error: unknown): StrataError {
  if (error instanceof StrataError && error.definition.status < 500) return error;
  throw error;
}
