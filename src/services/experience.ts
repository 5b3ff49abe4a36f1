import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import type { DerivationWriter } from '../../graph/derivation.ts';
import type { VectorsMissing } from '../../graph/embedding/work.ts';
import type { BulkResponse, CaptureResponse, Envelope, ExperienceStatus } from '../../schemas/event.ts';
import { bulkRequest, captureQuery } from '../../schemas/event.ts';
import type { CaptureQuery } from '../../schemas/experience.ts';
import { parseEnvelope } from '../capture/envelope.ts';
import type { Committer } from '../commit/committer.ts';
import { StrataError, type ErrorDetails } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { MAX_BULK_WAIT_MS } from '../limits.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { ambiguityOf, type AmbiguousNames, type AmbiguityNotice } from './ambiguous-names.ts';
import { BulkCapture } from './bulk-capture.ts';
import { CaptureCheck, type CaptureCheckParts } from './capture-check.ts';
import { captureRefusal, captureResponse } from './capture-response.ts';
import { parseQuery } from './query-input.ts';
import type { ExperienceStatusReading } from './experience-status.ts';
import type { StageWait, WaitedEvent, WaitStage } from './stage-wait.ts';

/** Wait budget of a bulk capture beside the single one, milliseconds for each item: its indexing takes longer. */
const BULK_WAIT_PER_ITEM_MS = 1000;

/** What the service needs. */
export interface ExperienceParts extends CaptureCheckParts {
  readonly committer: Committer;
  readonly derivation: DerivationWriter;
  readonly access: AccessService;
  readonly stageWait: StageWait;
  readonly ambiguous: AmbiguousNames;
  readonly statusReading: ExperienceStatusReading;
  readonly ids: Ids;
  /** Milliseconds that a single capture waits at most; a bulk waits a second more for each event, ten minutes at most. */
  readonly waitBudgetMs: number;
}

/** What is worth knowing of events that have passed a stage. */
interface Passed {
  /** Those whose vectors are not there, and why. */
  readonly missing: ReadonlyMap<string, VectorsMissing>;
  /** From `consolidated` on: those of which names stand for one of several entities. */
  readonly ambiguous: ReadonlyMap<string, AmbiguityNotice>;
}

/** Status of a capture in the audit log: the one that the operation answers with. */
const CAPTURED = 202;

/** Takes experiences in. An answer means that the event is committed; nothing is answered from memory. */
export class ExperienceService {
  private readonly parts: ExperienceParts;
  private readonly check: CaptureCheck;
  private readonly bulk: BulkCapture;

  constructor(parts: ExperienceParts) {
    this.parts = parts;
    this.check = new CaptureCheck(parts);
    this.bulk = new BulkCapture({
      committer: parts.committer,
      ids: parts.ids,
      check: this.check,
    });
  }

  /**
   * Captures one envelope. `wait` in the query: `indexed` or `consolidated` block until then.
   * Throws `INVALID_BODY`, `INVALID_ENVELOPE`, `UNREGISTERED_SCOPE_TYPE`, `POLICY_DENIED`, `IDEMPOTENCY_CONFLICT`,
   * `SUPPRESSED`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `SETTLEMENT_UNAVAILABLE`, `SERVER_BUSY`, `DATABASE_UNAVAILABLE`, `WAIT_TIMEOUT`, `INDEXING_FAILED`.
   */
  async capture(call: Call, body: unknown, query: unknown): Promise<CaptureResponse> {
    const { wait } = parseQuery(captureQuery, query);
    const input = await this.prepare(call, parseEnvelope(body), null);
    const stage = stageOf(wait);
    const result = await this.parts.committer.one(input, { call, status: CAPTURED });
    const refusal = captureRefusal(result);
    if (refusal !== null) {
      const { error_code: code, error, details } = refusal;
      const field = code === 'IDEMPOTENCY_CONFLICT' ? { field_path: 'idempotency_key' } : {};
      throw new StrataError(code, error, details === undefined ? {} : { details: { ...field, ...details } });
    }
    await this.requeueReplayed([result]);
    if (stage) {
      const place = { event_id: result.event_id, shard: input.record.shard, wal_offset: result.wal_offset };
      const passed = await this.passed(call, stage, [place], {
        budgetMs: this.parts.waitBudgetMs,
        where: { status_url: `/v1/experience/status?event_id=${result.event_id}` },
      });
      return withPassed(captureResponse(result, input.record), passed);
    }
    return captureResponse(result, input.record);
  }

  /**
   * Captures 1 to 1000 envelopes in one transaction. Under `independent` ordering refused items leave the others
   * written (`partial`); under `strict_temporal` nothing is written when one is refused.
   */
  async captureBulk(call: Call, body: unknown, query: unknown): Promise<BulkResponse> {
    const { wait } = parseQuery(captureQuery, query);
    const request = parseInput(bulkRequest, body, 'INVALID_BODY');
    const stage = stageOf(wait);
    const { response, written, results } = await this.bulk.capture(call, request);
    await this.requeueReplayed(results);
    if (stage && written.length > 0) {
      const passed = await this.passed(call, stage, written, {
        budgetMs: Math.min(
          this.parts.waitBudgetMs + BULK_WAIT_PER_ITEM_MS * written.length,
          MAX_BULK_WAIT_MS,
        ),
        where: { event_ids: written.map(({ event_id }) => event_id) },
      });
      return { ...response, results: response.results.map((row) => withPassed(row, passed)) };
    }
    return response;
  }

  /** Where an event stands, by `event_id` or by `idempotency_key` (with `scope` where several hold it). */
  status(call: Call, query: unknown): Promise<ExperienceStatus> {
    return this.parts.statusReading.status(call, query);
  }

  /** Waits until events have passed a stage, and says what is worth knowing of them then. Throws as {@link StageWait.until} does. */
  private async passed(
    call: Call,
    stage: WaitStage,
    events: readonly WaitedEvent[],
    options: { readonly budgetMs: number; readonly where: ErrorDetails },
  ): Promise<Passed> {
    const { stageWait, ambiguous, access } = this.parts;
    const { signal } = call;
    const missing = await stageWait.until(stage, events, { ...options, signal, vectors: true });
    if (stage !== 'consolidated') return { missing, ambiguous: new Map() };
    const ids = events.map(({ event_id }) => event_id);
    return { missing, ambiguous: await ambiguous.ofEvents(access, call, ids) };
  }

  /** The record of an envelope that may be captured, to be committed at once. */
  private async prepare(call: Call, envelope: Envelope, batchId: string | null): Promise<CaptureInput> {
    const [record] = await this.check.check(call, [envelope]);
    if (record === undefined) throw new Error('an envelope without an answer');
    if (record instanceof StrataError) throw record;
    return { record, batch_id: batchId };
  }

  private async requeueReplayed(results: readonly CaptureResult[]): Promise<void> {
    const replayed = results.filter(({ outcome }) => outcome === 'replayed').map(({ event_id }) => event_id);
    if (replayed.length > 0) await this.parts.derivation.requeue(replayed);
  }
}

/**
 * An answer that says where its event has no vectors (they are still to be made, or the model does not take its text), and which of its
 * names stand for one of several entities.
 */
function withPassed<Answer extends Pick<CaptureResponse, 'warnings'> & { readonly event_id: string | null }>(
  answer: Answer,
  { missing, ambiguous }: Passed,
): Answer {
  const id = answer.event_id ?? '';
  const why = missing.get(id);
  const context = ambiguous.get(id);
  const warnings = [
    ...(why === undefined ? [] : [`embedding_${why}`]),
    ...(context === undefined ? [] : ['ambiguous_entity']),
  ];
  if (warnings.length === 0) return answer;
  return {
    ...answer,
    warnings: [...(answer.warnings ?? []), ...warnings],
    ...ambiguityOf(context?.names ?? []),
  };
}

function stageOf(wait: CaptureQuery['wait']): WaitStage | null {
  if (wait === 'settled') {
    throw new StrataError(
      'SETTLEMENT_UNAVAILABLE',
      'wait=settled: this server has no settlement; use wait=consolidated.',
    );
  }
  return wait === 'indexed' || wait === 'consolidated' ? wait : null;
}
