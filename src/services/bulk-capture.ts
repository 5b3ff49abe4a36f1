import { isRefused, type CaptureInput, type CaptureResult } from '../../graph/capture.ts';
import type { BulkRequest, BulkResponse, Envelope } from '../../schemas/event.ts';
import { errorDefinition, type ErrorCode } from '../../schemas/error.ts';
import { parseEnvelope } from '../capture/envelope.ts';
import type { Committer } from '../commit/committer.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { inTurnsOver } from '../wakeup.ts';
import type { Call } from './access.ts';
import type { CaptureCheck } from './capture-check.ts';
import { captureRefusal, captureResponse } from './capture-response.ts';
import type { WaitedEvent } from './stage-wait.ts';

/** What one bulk capture came to. */
export interface BulkOutcome {
  readonly response: BulkResponse;
  /** The events that now answer for the items that were not refused. */
  readonly written: WaitedEvent[];
  readonly results: CaptureResult[];
}

/** What was handed to the committer, with what became of it and its place in the request. */
interface Handed {
  readonly inputs: readonly CaptureInput[];
  readonly results: readonly CaptureResult[];
  readonly places: readonly number[];
}

interface Failure {
  readonly index: number;
  readonly error_code: ErrorCode;
  readonly error: string;
  readonly details?: Record<string, unknown>;
}

/** Statuses of a bulk in the audit log: those that the operation answers with. */
const WHOLE = 202;
const PARTIAL = 207;

/** Captures a bulk: checked together, in one transaction written. */
export class BulkCapture {
  private readonly committer: Committer;
  private readonly ids: Ids;
  private readonly checking: CaptureCheck;

  constructor(parts: { committer: Committer; ids: Ids; check: CaptureCheck }) {
    this.committer = parts.committer;
    this.ids = parts.ids;
    this.checking = parts.check;
  }

  /**
   * Throws only for the whole: `INVALID_BODY`, `IDEMPOTENCY_CONFLICT`, `SUPPRESSED` or `DESTRUCTIVE_OPERATION_IN_PROGRESS` with
   * `details.items` under `strict_temporal`.
   */
  async capture(call: Call, request: BulkRequest): Promise<BulkOutcome> {
    const batchId = this.ids.batch();
    const strict = request.ordering === 'strict_temporal';
    const { inputs, places, failures } = await this.check(call, request, batchId);
    if (strict) refuseWhole('INVALID_BODY', failures);
    const origin = { call, status: failures.length > 0 ? PARTIAL : WHOLE };
    const results = await (strict
      ? this.committer.manyOrNone(inputs, origin)
      : this.committer.many(inputs, origin));
    results.forEach((result, i) => {
      const refusal = captureRefusal(result);
      if (refusal !== null) failures.push({ index: places[i] ?? i, ...refusal });
    });
    failures.sort((a, b) => a.index - b.index);
    if (strict) {
      // What another try cannot mend goes before what it may.
      const codes = ['IDEMPOTENCY_CONFLICT', 'SUPPRESSED', 'DESTRUCTIVE_OPERATION_IN_PROGRESS'] as const;
      const code = codes.find((one) => failures.some(({ error_code: of }) => of === one));
      refuseWhole(code ?? 'DESTRUCTIVE_OPERATION_IN_PROGRESS', failures);
    }
    return {
      response: answer(batchId, request.items.length, { inputs, results, places }, failures),
      written: written(inputs, results),
      results,
    };
  }

  private async check(
    call: Call,
    request: BulkRequest,
    batchId: string,
  ): Promise<{ inputs: CaptureInput[]; places: number[]; failures: Failure[] }> {
    const inputs: CaptureInput[] = [];
    const places: number[] = [];
    const failures: Failure[] = [];
    const parsed = await inTurnsOver(request.items, parserOf(request));
    const envelopes = parsed.filter((item): item is Envelope => !(item instanceof StrataError));
    const checked = (await this.checking.check(call, envelopes)).values();
    for (const [index, item] of parsed.entries()) {
      const result = item instanceof StrataError ? item : checked.next().value;
      if (result === undefined) throw new Error('an envelope without an answer');
      if (result instanceof StrataError) {
        failures.push(failureOf(index, result));
        continue;
      }
      inputs.push({ record: result, batch_id: batchId });
      places.push(index);
    }
    return { inputs, places, failures };
  }
}

/** Reads one item, to its envelope or to why it is none. */
function parserOf({ scope, directives }: BulkRequest): (item: unknown) => Envelope | StrataError {
  const defaults = {
    ...(scope === undefined ? {} : { scope }),
    ...(directives === undefined ? {} : { directives }),
  };
  return (item) => {
    try {
      return parseEnvelope(item, defaults);
    } catch (error) {
      if (error instanceof StrataError && error.definition.status < 500) return error;
      throw error;
    }
  };
}

function failureOf(index: number, { code, message, details }: StrataError): Failure {
  return { index, error_code: code, error: message, ...(details ? { details } : {}) };
}

function refuseWhole(code: ErrorCode, failures: readonly Failure[]): void {
  const [first] = failures;
  if (!first) return;
  // A refusal by policy or roster stays one for the whole, as it would be for the item alone.
  const refused = failures.find(({ error_code: of }) => errorDefinition(of).status === 403);
  throw new StrataError(
    refused?.error_code ?? code,
    `Nothing was written: ${failures.length} item(s) are refused, the first is items[${first.index}]: ${first.error}`,
    {
      details: { ...refused?.details, items: failures },
    },
  );
}

function answer(
  batchId: string,
  size: number,
  { inputs, results, places }: Handed,
  failures: readonly Failure[],
): BulkResponse {
  const rows: BulkResponse['results'] = Array.from({ length: size }, (_, index) => ({
    index,
    event_id: null,
    status: 'failed' as const,
  }));
  results.forEach((result, i) => {
    const index = places[i] ?? i;
    const record = inputs[i]?.record;
    if (isRefused(result) || record === undefined) return;
    const { lifecycle_stream: _stream, recorded_at: _recorded, ...row } = captureResponse(result, record);
    rows[index] = { index, ...row };
  });
  return {
    accepted: size - failures.length,
    batch_id: batchId,
    results: rows,
    lifecycle_stream: `/v1/lifecycle/stream?batch_id=${batchId}`,
    ...(failures.length > 0 ? { partial: true as const, failures: [...failures] } : {}),
  };
}

function written(inputs: readonly CaptureInput[], results: readonly CaptureResult[]): WaitedEvent[] {
  return results.flatMap((result, i) => {
    const shard = inputs[i]?.record.shard;
    if (isRefused(result) || shard === undefined) return [];
    return [{ event_id: result.event_id, shard, wal_offset: result.wal_offset }];
  });
}
