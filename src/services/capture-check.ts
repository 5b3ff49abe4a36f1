import type { PremiseReader } from '../../graph/premise.ts';
import type { Envelope } from '../../schemas/event.ts';
import type { Capability } from '../../schemas/policy.ts';
import { blobReferences } from '../capture/blob-refs.ts';
import { toEventRecord, type EventRecord } from '../capture/event-record.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { AccessService, Call } from './access.ts';
import type { BlobAccess } from './blob-access.ts';
import type { ScopeTypes } from './scope-types.ts';

/** What the check rests on. */
export interface CaptureCheckParts {
  readonly access: AccessService;
  readonly premises: Pick<PremiseReader, 'visibleAmong'>;
  readonly blobs: BlobAccess;
  readonly scopeTypes: ScopeTypes;
  readonly ids: Pick<Ids, 'event'>;
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

  constructor(parts: CaptureCheckParts) {
    this.parts = parts;
  }

  /**
   * The record of each envelope, or why it is refused: `POLICY_DENIED`, `NOT_A_MEMBER`, `UNREGISTERED_SCOPE_TYPE`,
   * `INVALID_BODY`. What the caller may do is decided again at the end, since the database was asked meanwhile: the answer is to be
   * committed at once. Throws `DATABASE_UNAVAILABLE`.
   */
  async check(call: Call, envelopes: readonly Envelope[]): Promise<(EventRecord | StrataError)[]> {
    const items = envelopes.map((envelope) => this.itemOf(call, envelope));
    await this.authorize(call, items);
    await this.checkScopeTypes(call, items);
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

  /** A conclusion names what it rests on; it can rest only on what exists. */
  private async checkPremises(call: Call, items: readonly Item[]): Promise<void> {
    const ids = new Set(stillGood(items).flatMap(({ envelope }) => premisesOf(envelope)));
    if (ids.size === 0) return;
    const found = await this.parts.premises.visibleAmong([...ids], call.principal.tenant);
    const mayRead = await this.parts.access.readableNow(call, [...found.values()]);
    for (const item of stillGood(items)) {
      const premises = premisesOf(item.envelope);
      const index = premises.findIndex((id) => {
        const place = found.get(id);
        return place === undefined || !mayRead(place);
      });
      const path = `content.triple.derived_from[${index}]`;
      if (index >= 0) item.refusal = unknownId('record', path, premises[index] ?? '');
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
      else if (lost !== undefined) item.refusal = unknownId('blob', lost.path, lost.blob_id);
    }
  }
}

function stillGood(items: readonly Item[]): Item[] {
  return items.filter(({ refusal }) => refusal === null);
}

function scopesOf(items: readonly Item[]): string[] {
  return [...new Set(stillGood(items).map(({ envelope }) => envelope.scope))];
}

function premisesOf({ content }: Envelope): readonly string[] {
  return content.kind === 'triple' ? (content.triple.derived_from ?? []) : [];
}

function unknownId(what: 'record' | 'blob', path: string, id: string): StrataError {
  return new StrataError('INVALID_BODY', `${path}: no such ${what}: ${id}`, {
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
