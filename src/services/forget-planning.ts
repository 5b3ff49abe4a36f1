import type { FootprintRequest } from '../../graph/forget/footprint.ts';
import type { ForgetPreviews } from '../../graph/forget/preview.ts';
import type { ForgetReader } from '../../graph/forget/reader.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { FORGET_LAYERS, NOTHING_TO_SUPPRESS, type Cascade } from '../../schemas/forget.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { PredicateNames } from '../derive/predicate-names.ts';
import { StrataError } from '../errors.ts';
import { closureOf, type Closure } from '../forget/closure.ts';
import { digestOf } from '../forget/digest.ts';
import type { ByLayer } from '../forget/layers.ts';
import { isEmptySelector } from '../forget/selector.ts';
import type { Call } from './access.ts';
import type { ForgetAsked, ForgetOfPreview, ForgetRequests, ForgetSelection } from './forget-request.ts';
import { selectorOf } from './forget-selector.ts';
import type { ScopeSettling } from './scope-settling.ts';

/** What the planning needs. */
export interface ForgetPlanningParts {
  readonly requests: Pick<ForgetRequests, 'requireCascade'>;
  readonly reader: ForgetReader;
  readonly previews: ForgetPreviews;
  readonly settling: ScopeSettling;
  readonly predicates: Pick<PredicateNames, 'spellings'>;
  readonly head: VisibleHighWatermark;
  readonly clock: Clock;
}

/** What is to be forgotten in a scope, and what that comes to. */
export interface Planned {
  readonly scope: string;
  readonly cascade: Cascade;
  /** How many ids were named; null where none were. */
  readonly requested: number | null;
  /** The ids that were named. */
  readonly named: readonly string[];
  /** Whether it is all that the scope holds, and is redacted. */
  readonly empties: boolean;
  /** Whether what is redacted is not to be captured again. */
  readonly suppress: boolean;
  /** Newest offset of the log that it was selected up to. */
  readonly through: number;
  readonly selected: ByLayer<readonly string[]>;
  readonly closure: Closure;
  /** The preview that is executed; null for none. */
  readonly previewId: string | null;
}

/** What is kept of what a preview was asked. */
export interface PreviewAsked {
  readonly requested: number | null;
  /** Left out by previews of an earlier release, and so is `suppress`. */
  readonly named?: readonly string[];
  readonly empties: boolean;
  readonly suppress?: boolean;
}

/** Finds out what is to be forgotten, and what that comes to. */
export class ForgetPlanning {
  private readonly parts: ForgetPlanningParts;

  constructor(parts: ForgetPlanningParts) {
    this.parts = parts;
  }

  /** What that comes to which is asked for. Throws as {@link ForgetPlanning.ofSelection} and {@link ForgetPlanning.ofPreview} do. */
  of(call: Call, asked: ForgetAsked): Promise<Planned> {
    return asked.kind === 'selection' ? this.ofSelection(call, asked) : this.ofPreview(call, asked);
  }

  /**
   * What a selection comes to, once everything of the scope that was captured before is derived. Throws `REDERIVE_IN_PROGRESS`,
   * `WAIT_TIMEOUT`.
   */
  private async ofSelection(
    call: Call,
    { scope, layers, selector, cascade, suppress }: ForgetSelection,
  ): Promise<Planned> {
    const { reader, head, settling } = this.parts;
    const { tenant } = call.principal;
    const ref = scopeRef(tenant, scope);
    await head.refresh();
    const through = head.settled;
    await settling.until({ ref, through }, call.signal);
    const conditions = selectorOf(selector, this.parts.predicates);
    const selected = await reader.select({ ref, through }, { layers, selector: conditions });
    const closure = await this.closure({ tenant, ref, selected, cascade, through });
    const { memory_ids: named = [] } = selector;
    const requested = selector.memory_ids?.length ?? null;
    const isAll = isEmptySelector(conditions) && layers.length === FORGET_LAYERS.length;
    const empties = isAll && cascade === 'redact_events';
    const is = { requested, named, empties, suppress };
    return { scope, cascade, ...is, through, selected, closure, previewId: null };
  }

  /**
   * What a preview of this caller showed. Throws `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED` where something of it, or what depends on it, is
   * not as it was; what came to an episode since does not count.
   */
  private async ofPreview(
    call: Call,
    { scope, preview_id: previewId, suppress }: ForgetOfPreview,
  ): Promise<Planned> {
    const { requests, previews, head, clock, settling } = this.parts;
    const { tenant, actor } = call.principal;
    const ref = scopeRef(tenant, scope);
    const owner = { tenant, scope_ref: ref, actor, operation: 'forget' } as const;
    const found = await previews.load(previewId, owner, clock.now());
    if (found === null) throw unknownPreview();
    const { selected, cascade, digest, head: through } = found;
    await requests.requireCascade(call, cascade, scope);
    if (suppress && cascade !== 'redact_events') throw nothingToSuppress();
    await head.refresh();
    await settling.until({ ref, through: head.settled }, call.signal);
    const closure = await this.closure({ tenant, ref, selected, cascade, through });
    if (digestOf(closure) !== digest)
      throw new StrataError(
        'SCOPE_STATE_CHANGED',
        'something that the preview showed, or what depends on it, has changed since; nothing was forgotten: make another preview',
      );
    const kept = JSON.parse(found.asked) as PreviewAsked;
    const is = { named: [], ...kept, suppress: suppress || kept.suppress === true };
    return { scope, cascade, ...is, through, selected, closure, previewId };
  }

  private async closure(request: FootprintRequest): Promise<Closure> {
    const footprint = await this.parts.reader.footprint(request);
    return closureOf(request.selected, request.cascade, footprint);
  }
}

function nothingToSuppress(): StrataError {
  return new StrataError('INVALID_BODY', `suppress: ${NOTHING_TO_SUPPRESS}`, {
    details: { field_path: 'suppress', reason: NOTHING_TO_SUPPRESS },
  });
}

/** That there is no preview of an id for the caller. */
export function unknownPreview(): StrataError {
  return new StrataError(
    'UNKNOWN_PREVIEW_ID',
    'there is no such preview: it is over, was executed, or is of another scope or caller',
    { details: { field_path: 'from_preview_id' } },
  );
}
