import type { Reader } from '../../graph/driver.ts';
import { erasedParts } from '../../graph/erasure/erased.ts';
import type { StoredErasure } from '../../graph/erasure/record.ts';
import { PLACES_WITHOUT_IDS, type ErasureSweep, type SweepFinding } from '../../graph/erasure/sweep.ts';
import type { ErasureReceiptResponse, ErasureVerification } from '../../schemas/erasure.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import { CommitmentRoot } from '../erasure/commitment.ts';
import { StrataError } from '../errors.ts';
import type { VerifyingKey } from '../tokens/key.ts';
import { openReceipt, receiptKeyName } from '../tokens/receipt.ts';

/** What proving needs. */
export interface ErasureProofParts {
  readonly reader: Reader;
  readonly sweep: ErasureSweep;
  /** A key that ever signed for the deployment, by its name, also one that signs no more; null where there is none. */
  readonly keyOf: (kid: string) => Promise<VerifyingKey | null>;
  readonly clock: Clock;
}

/** Hands out receipts, and looks again whether what they say holds. */
export class ErasureProof {
  private readonly parts: ErasureProofParts;

  constructor(parts: ErasureProofParts) {
    this.parts = parts;
  }

  /** The receipt of an erasure. Throws `NOT_FOUND` before there is one. */
  async receiptOf({ id, receipt }: StoredErasure): Promise<ErasureReceiptResponse> {
    if (receipt === null)
      throw new StrataError('NOT_FOUND', 'the erasure is not over: it has no receipt yet');
    const kid = receiptKeyName(receipt);
    const key = kid === null ? null : await this.parts.keyOf(kid);
    if (key === null)
      throw new StrataError('NOT_FOUND', 'the key that signed the receipt is not known any more');
    return {
      erasure_id: id,
      receipt,
      kid: key.kid,
      public_key: key.text,
      claims: await openReceipt(receipt, key),
    };
  }

  /** Looks again at everything that can be looked at without the ids that were erased. Throws `NOT_FOUND` for an erasure that is not over. */
  async verify(erasure: StoredErasure): Promise<ErasureVerification> {
    if (erasure.receipt === null) throw new StrataError('NOT_FOUND', 'the erasure is not over yet');
    const { reader, sweep, clock } = this.parts;
    const root = new CommitmentRoot();
    const findings = new Map<string, number>();
    const note = (found: readonly SweepFinding[]): void => {
      for (const { place, count } of found) findings.set(place, (findings.get(place) ?? 0) + count);
    };
    for await (const part of erasedParts(reader, erasure.id)) {
      root.add(part.commitments);
      note(await sweep.ofOffsets(part.offsets));
    }
    note(await sweep.ofScope(erasure.scope_ref));
    const commitments = root.end();
    const isSigned = await this.isSigned(erasure, commitments);
    return {
      erasure_id: erasure.id,
      verified: isSigned && findings.size === 0,
      checked_at: toRfc3339(clock.now()),
      signature_valid: isSigned,
      events_checked: commitments.count,
      places_checked: [...PLACES_WITHOUT_IDS],
      findings: [...findings].map(([place, count]) => ({ place, count })),
    };
  }

  /** Whether the receipt is signed, and speaks of these commitments. */
  private async isSigned(
    erasure: StoredErasure,
    { root, count }: { readonly root: string; readonly count: number },
  ): Promise<boolean> {
    try {
      const { claims } = await this.receiptOf(erasure);
      return claims.commitments.root === root && claims.commitments.count === count;
    } catch (error) {
      if (error instanceof StrataError) return false;
      throw error;
    }
  }
}
