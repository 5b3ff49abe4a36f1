import { roundedMs } from './rounded.ts';
import type { RecallPack, RecallRequest } from '../../schemas/recall.ts';
import { StrataError } from '../errors.ts';
import { scopesIn, withoutScopes } from '../recall/part-of-pack.ts';
import { NOTHING_FITS, NOTHING_KNOWN, NOTHING_SHOWN } from '../recall/section.ts';
import { sourcesOf, type MarkerPrefix, type Source } from '../recall/source.ts';
import type { AccessService, Call } from './access.ts';
import type { PackAgain } from './pack-again.ts';
import type { RecallPacks } from './recall-packs.ts';
import type { RecallService } from './recall.ts';
import type { Writing } from './writing.ts';

/** What the service needs. */
export interface EvidenceParts {
  readonly access: Pick<AccessService, 'sees' | 'readableNow'>;
  readonly recall: Pick<RecallService, 'pack'>;
  readonly packs: Pick<RecallPacks, 'keep'>;
  readonly again: Pick<PackAgain, 'find'>;
  readonly writing: Pick<Writing, 'requireCallSite'>;
}

/** What a text is to rest on. */
export interface EvidenceRequest {
  /** The recall, where no pack is named. */
  readonly recall: RecallRequest;
  readonly use_pack_id: string | undefined;
  readonly prefix: MarkerPrefix;
  /** Whether a model is to be asked. */
  readonly asksModel: boolean;
}

/** What a text rests on. */
export interface Evidence {
  /** Where a model is asked, without the records of scopes in which the caller may have none asked. */
  readonly pack: RecallPack;
  /** Whether there were such records. */
  readonly withheld: boolean;
  readonly sources: readonly Source[];
  /** Milliseconds. */
  readonly recallMs: number;
}

/** Brings what a text is to rest on, for a caller who may have it written. */
export class EvidenceService {
  private readonly parts: EvidenceParts;

  constructor(parts: EvidenceParts) {
    this.parts = parts;
  }

  /**
   * A pack with its sources, recalled and kept, or found again. Throws `POLICY_DENIED`, also where a model is to be asked and the caller
   * may not; `ANSWER_UNAVAILABLE` before anything is read, where no model is set up that is to be asked; `NOT_FOUND` for a pack that is not
   * there; and as a recall does. What no model may be shown is left out
   * and told as withheld.
   */
  async of(call: Call, { recall, use_pack_id, prefix, asksModel }: EvidenceRequest): Promise<Evidence> {
    const { access, packs, again, writing } = this.parts;
    const began = performance.now();
    // Whom only a roster keeps out is answered as if nothing were there, as in a recall.
    await access.sees(call, 'scope.read.local', recall.scope);
    if (asksModel) {
      await access.sees(call, 'llm.invoke', recall.scope);
      writing.requireCallSite();
    }
    const whole =
      use_pack_id === undefined
        ? await this.parts.recall.pack(call, recall)
        : await again.find(call, use_pack_id, recall.scope);
    if (asksModel && whole.context_block !== '' && sourcesOf(whole, prefix).length === 0)
      throw new StrataError(
        'INVALID_BODY',
        'use_pack_id: the pack was recalled with citation_mode none, so nothing of it can be cited',
        { details: { field_path: 'use_pack_id', reason: 'was recalled without markers' } },
      );
    if (use_pack_id === undefined) packs.keep(call, recall.scope, whole);
    const pack = asksModel ? await this.forModel(call, whole) : whole;
    const recallMs = roundedMs(performance.now() - began);
    return { pack, withheld: pack !== whole, sources: sourcesOf(pack, prefix), recallMs };
  }

  /** A pack without the records of scopes in which `llm.invoke` is refused, wherever they lie from the scope of the question. */
  private async forModel(call: Call, pack: RecallPack): Promise<RecallPack> {
    const { tenant } = call.principal;
    const names = scopesIn(pack).map((path) => ({ tenant, path }));
    if (names.length === 0) return pack;
    const isAllowed = await this.parts.access.readableNow(call, names, 'llm.invoke');
    return withoutScopes(pack, new Set(names.filter((name) => !isAllowed(name)).map(({ path }) => path)));
  }
}

/** What is said of a question for which there are no sources. */
export function noEvidence({ withheld, pack }: Pick<Evidence, 'withheld' | 'pack'>): string {
  if (withheld) return NOTHING_SHOWN;
  return Object.values(pack.diagnostics.evicted).some((records) => records > 0)
    ? NOTHING_FITS
    : NOTHING_KNOWN;
}
