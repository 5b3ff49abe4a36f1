import type { z } from 'zod';

import {
  CASCADE_CAPABILITY,
  FORGET_LAYERS,
  forgetCode,
  forgetPreviewRequest,
  forgetRequest,
  type Cascade,
  type ForgetLayer,
  type ForgetRequest,
  type ForgetSelector,
} from '../../schemas/forget.ts';
import { StrataError } from '../errors.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';

/** Records of a scope that are to be forgotten. */
export interface ForgetSelection {
  readonly kind: 'selection';
  readonly scope: string;
  /** At least one, each once, in the order of {@link FORGET_LAYERS}. */
  readonly layers: readonly ForgetLayer[];
  /** Without a condition: everything in the layers. */
  readonly selector: ForgetSelector;
  readonly cascade: Cascade;
  /** Whether what is redacted is not to be captured again. */
  readonly suppress: boolean;
  /** Why, in the caller's words; null where nothing is said. */
  readonly note: string | null;
}

/** A preview that is to be executed. */
export interface ForgetOfPreview {
  readonly kind: 'preview';
  readonly scope: string;
  readonly preview_id: string;
  /** Whether what is redacted is not to be captured again, though the preview did not say so. */
  readonly suppress: boolean;
  /** Why, in the caller's words; null where nothing is said. */
  readonly note: string | null;
}

/** What a forget asks for. */
export type ForgetAsked = ForgetSelection | ForgetOfPreview;

/** Reads what is to be forgotten, and decides whether the caller may forget it. */
export class ForgetRequests {
  private readonly access: AccessService;

  constructor(access: AccessService) {
    this.access = access;
  }

  /**
   * What a forget asks for. Throws `INVALID_BODY` (an unknown field of the body itself in plain text), `INVALID_CASCADE`,
   * `EMPTY_SELECTOR_WITHOUT_CONFIRMATION`, `AMBIGUOUS_SELECTOR_CONFIRM_ALL`, `POLICY_DENIED`, `NOT_A_MEMBER`. The cascade of a preview
   * stands in the preview: {@link ForgetRequests.requireCascade} has to be asked about it once that is loaded.
   */
  async asked(call: Call, body: unknown): Promise<ForgetAsked> {
    const request = parsedRequest(forgetRequest, body);
    const { scope, from_preview_id: preview_id, suppress = false } = request;
    if (preview_id === undefined) {
      await this.requireCascade(call, request.cascade, scope);
      return selectionOf(request);
    }
    await this.requireAnyCascade(call, scope);
    return { kind: 'preview', scope, preview_id, suppress, note: noteOf(request) };
  }

  /** What is to be previewed, by a caller who may forget it and may read what is shown. Throws as {@link ForgetRequests.asked} does. */
  async askedPreview(call: Call, body: unknown): Promise<ForgetSelection> {
    const request = parsedRequest(forgetPreviewRequest, body);
    await this.requireCascade(call, request.cascade, request.scope);
    await this.access.authorize(call, 'scope.read.local', request.scope);
    return selectionOf(request);
  }

  /** Refuses who may not forget in the scope in that way. Throws `POLICY_DENIED`, `NOT_A_MEMBER`. */
  requireCascade(call: Call, cascade: Cascade, scope: string): Promise<void> {
    return this.access.authorize(call, CASCADE_CAPABILITY[cascade], scope);
  }

  private async requireAnyCascade(call: Call, scope: string): Promise<void> {
    const { derived_only, redact_events } = CASCADE_CAPABILITY;
    const decisions = await Promise.all(
      [derived_only, redact_events].map((capability) => this.access.decide(call, capability, scope)),
    );
    // What the audit log is to say is noted with the cascade that is used.
    if (decisions.some(({ outcome }) => outcome === 'allowed')) return;
    await this.requireCascade(call, 'derived_only', scope);
  }
}

function selectionOf(request: Omit<ForgetRequest, 'from_preview_id'>): ForgetSelection {
  const { scope, layers = [], selector = {}, cascade, suppress = false } = request;
  const of = layers.length === 0 ? FORGET_LAYERS : FORGET_LAYERS.filter((layer) => layers.includes(layer));
  return { kind: 'selection', scope, layers: of, selector, cascade, suppress, note: noteOf(request) };
}

function noteOf({ audit_note, reason }: Pick<ForgetRequest, 'audit_note' | 'reason'>): string | null {
  return audit_note ?? reason ?? null;
}

/** The parsed body. An unknown field of the body itself is told in plain text, as the contract has it; one further in as JSON. */
function parsedRequest<T>(schema: z.ZodType<T>, body: unknown): T {
  try {
    return parseInput(schema, body, 'INVALID_BODY', forgetCode);
  } catch (error) {
    // Allowed names are told of fields of the body itself alone.
    const details = error instanceof StrataError ? error.details : undefined;
    if (details?.reason !== 'unknown field' || !Array.isArray(details.allowed)) throw error;
    const message = `${String(details.field_path)}: unknown field; allowed are ${details.allowed.join(', ')}`;
    throw new StrataError('INVALID_BODY', message, { details, plainText: true });
  }
}
