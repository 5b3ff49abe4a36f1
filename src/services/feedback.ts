import type { Content } from '../../schemas/content.ts';
import type { Committer } from '../commit/committer.ts';
import { StrataError } from '../errors.ts';
import type { Call } from './access.ts';
import { CaptureCheck, type CaptureCheckParts } from './capture-check.ts';
import { captureRefusal } from './capture-response.ts';
import type { StageWait } from './stage-wait.ts';

/** What feedback rests on. */
export interface FeedbackParts extends CaptureCheckParts {
  readonly committer: Committer;
  readonly stageWait: StageWait;
  /** Milliseconds that an answer waits for the consolidation at most. */
  readonly waitBudgetMs: number;
}

/** Captures what callers say about what is derived: events of kinds that capture itself does not take, so that a rebuild applies them again. */
export class Feedback {
  private readonly parts: FeedbackParts;
  private readonly check: CaptureCheck;

  constructor(parts: FeedbackParts) {
    this.parts = parts;
    this.check = new CaptureCheck(parts);
  }

  /**
   * Captures feedback and resolves with the id of its event when it is consolidated; `status` is that of the answer. Throws what a
   * capture does.
   */
  async give(call: Call, said: { scope: string; content: Content }, status: number): Promise<string> {
    const { committer, stageWait, waitBudgetMs } = this.parts;
    const [record] = await this.check.check(call, [{ ...said, modality: 'feedback' }]);
    if (record === undefined) throw new Error('an envelope without an answer');
    if (record instanceof StrataError) throw record;
    const result = await committer.one({ record, batch_id: null }, { call, status });
    const refusal = captureRefusal(result);
    if (refusal !== null) {
      const { error_code, error, details } = refusal;
      throw new StrataError(error_code, error, details === undefined ? {} : { details });
    }
    const { event_id, wal_offset } = result;
    await stageWait.until('consolidated', [{ event_id, wal_offset, shard: record.shard }], {
      budgetMs: waitBudgetMs,
      signal: call.signal,
      where: { event_id, status_url: `/v1/experience/status?event_id=${event_id}` },
    });
    return event_id;
  }
}
