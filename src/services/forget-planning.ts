import type { FootprintRequest } from '../../graph/forget/footprint.ts';
import type { ForgetPreviews } from '../../graph/forget/preview.ts';
import type { ForgetReader } from '../../graph/forget/reader.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { FORGET_LAYERS, NOTHING_TO_SUPPRESS, type Cascade } from '../../schemas/forget.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { closureOf, type Closure } from '../forget/closure.ts';
import { digestOf } from '../forget/digest.ts';
import type { ByLayer } from '../forget/layers.ts';
import { isEmptySelector } from '../forget/selector.ts';
import type { Call } from './access.ts';
import type { ForgetAsked, ForgetOfPreview, ForgetRequests, ForgetSelection } from './forget-request.ts';
import { selectorOf } from './forget-selector.ts';
import type { HeldEvents, LegalHolds } from './legal-holds.ts';
import type { PredicateSpellings } from './predicate-spellings.ts';
import type { ScopeSettling } from './scope-settling.ts';

/** What the planning needs. */
export interface ForgetPlanningParts {
  readonly requests: Pick<ForgetRequests, 'requireCascade'>;
  readonly reader: ForgetReader;
  readonly previews: ForgetPreviews;
  readonly settling: ScopeSettling;
  readonly predicates: Pick<PredicateSpellings, 'of'>;
  readonly holds: Pick<LegalHolds, 'heldAmong'>;
  readonly head: VisibleHighWatermark;
  readonly clock: Clock;
}

/** What is planned: what is forgotten, or what is erased. */
export type ForgetOperation = 'forget' | 'erasure';

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
  /** Of the events that would be redacted, and of those that were named, the ones that are under legal hold: an erasure leaves them. */
  readonly held: HeldEvents;
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

  /**
   * What that comes to which is asked for. Throws as {@link ForgetPlanning.ofSelection} and {@link ForgetPlanning.ofPreview} do. Who may
   * have what was selected erased was decided before; who may forget what a preview showed, that says.
   */
  of(call: Call, asked: ForgetAsked, operation: ForgetOperation = 'forget'): Promise<Planned> {
    return asked.kind === 'selection'
      ? this.ofSelection(call, asked, operation)
      : this.ofPreview(call, asked, operation);
  }

  /**
   * What a selection comes to, once everything of the scope that was captured before is derived. Throws `REDERIVE_IN_PROGRESS`,
   * `WAIT_TIMEOUT`, `INVALID_BODY` where it is more than is read.
   */
  private async ofSelection(
    call: Call,
    { scope, layers, selector, cascade, suppress }: ForgetSelection,
    operation: ForgetOperation,
  ): Promise<Planned> {
    const { reader, head, settling } = this.parts;
    const { tenant } = call.principal;
    const ref = scopeRef(tenant, scope);
    await head.refresh();
    const through = head.settled;
    await settling.until({ ref, through }, call.signal);
    const conditions = await selectorOf(selector, { tenant, paths: [scope], call }, this.parts.predicates);
    const selected = await reader.select({ ref, through }, { layers, selector: conditions });
    const { memory_ids: named = [] } = selector;
    const request = { tenant, scope, ref, selected, cascade, through, named };
    const { closure, held } = await this.closure(request, operation);
    const requested = selector.memory_ids?.length ?? null;
    const isAll = isEmptySelector(conditions) && layers.length === FORGET_LAYERS.length;
    const empties = isAll && cascade === 'redact_events' && held.held.size === 0;
    const is = { requested, named, empties, suppress };
    return { scope, cascade, ...is, through, selected, closure, held, previewId: null };
  }

  /**
   * What a preview of this caller showed. Throws `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED` where something of it, or what depends on it, is
   * not as it was; what came to an episode since does not count.
   */
  private async ofPreview(
    call: Call,
    { scope, preview_id: previewId, suppress }: ForgetOfPreview,
    operation: ForgetOperation,
  ): Promise<Planned> {
    const { requests, previews, head, clock, settling } = this.parts;
    const { tenant, actor } = call.principal;
    const ref = scopeRef(tenant, scope);
    // An erasure executes previews of both.
    const of = operation === 'erasure' && previewId.startsWith('ervw_') ? 'erasure' : 'forget';
    const owner = { tenant, scope_ref: ref, actor, operation: of } as const;
    const found = await previews.load(previewId, owner, clock.now());
    if (found === null) throw unknownPreview();
    const { selected, cascade, digest, head: through } = found;
    if (operation === 'forget') await requests.requireCascade(call, cascade, scope);
    else if (cascade !== 'redact_events') throw keepsEvents(cascade);
    if (suppress && cascade !== 'redact_events') throw nothingToSuppress();
    await head.refresh();
    await settling.until({ ref, through: head.settled }, call.signal);
    const asked = JSON.parse(found.asked) as PreviewAsked;
    const { requested, named = [], empties: all, suppress: suppressed = false } = asked;
    const request = { tenant, scope, ref, selected, cascade, through, named };
    const { closure, whole, held } = await this.closure(request, operation);
    // A preview of a forget showed what is held too.
    if (digestOf(of === 'forget' ? whole : closure) !== digest)
      throw new StrataError(
        'SCOPE_STATE_CHANGED',
        'something that the preview showed, or what depends on it, has changed since; nothing was forgotten: make another preview',
      );
    const empties = all && held.held.size === 0;
    const is = { requested, named, empties, suppress: suppress || suppressed };
    return { scope, cascade, ...is, through, selected, closure, held, previewId };
  }

  private async closure(
    {
      scope,
      named,
      ...request
    }: FootprintRequest & { readonly scope: string; readonly named: readonly string[] },
    operation: ForgetOperation,
  ): Promise<Pick<Planned, 'closure' | 'held'> & { readonly whole: Closure }> {
    const { reader, holds, clock } = this.parts;
    const { tenant, selected, cascade } = request;
    const footprint = await reader.footprint(request);
    const whole = closureOf(selected, cascade, footprint);
    const asked = operation === 'forget' ? [...whole.redacted, ...named] : whole.redacted;
    const held = await holds.heldAmong({ tenant, scope, now: clock.now() }, asked);
    const passes = operation === 'erasure' && held.held.size > 0;
    const closure = passes ? closureOf(selected, cascade, footprint, held.held) : whole;
    return { closure, whole, held };
  }
}

function keepsEvents(cascade: Cascade): StrataError {
  return new StrataError(
    'INVALID_CASCADE',
    `the preview was made with ${cascade}, which keeps events; an erasure takes one of redact_events, or of an erasure`,
    { details: { field_path: 'from_preview_id' } },
  );
}

function nothingToSuppress(): StrataError {
  return new StrataError('INVALID_BODY', `suppress: ${NOTHING_TO_SUPPRESS}`, {
    details: { field_path: 'suppress', reason: NOTHING_TO_SUPPRESS },
  });
}

/** The id of what keeps contents from being captured again; null where that is not asked for, or nothing is redacted. */
export function suppressionOf({ suppress, closure }: Planned, id: string): string | null {
  return suppress && closure.redacted.length > 0 ? id : null;
}

/** That there is no preview of an id for the caller. */
export function unknownPreview(): StrataError {
  return new StrataError(
    'UNKNOWN_PREVIEW_ID',
    'there is no such preview: it is over, was executed, or is of another scope or caller',
    { details: { field_path: 'from_preview_id' } },
  );
}
