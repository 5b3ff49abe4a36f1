import type { ExtractionInput } from '../../graph/extraction.ts';
import type { Content } from '../../schemas/content.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import { partsOf } from '../derive/extraction.ts';
import { maxLayerOf } from '../derive/claim/max-layer.ts';
import { heldSince } from '../derive/statement.ts';
import type { ExtractionItem } from '../models/extraction.ts';
import { Clocks, localRfc3339 } from '../time/clocks.ts';

/** Characters of an event that one call extracts from; a longer event is asked about in parts. About 6,000 tokens. */
export const EXTRACTION_PART_CHARACTERS = 24_000;

/** Characters of all events of one call: the events of a chat fit, a long one stands alone. */
export const EXTRACTION_CALL_CHARACTERS = 32_000;

/** Modalities whose text is extracted from: feedback is evidence only, and of an unknown one nobody knows what it means. */
const MODALITIES: ReadonlySet<string> = new Set([
  'conversation',
  'document',
  'tool_result',
  'observation',
  'imported',
]);
/** A part of an event that is asked about. */
export interface AskedItem {
  readonly input: ExtractionInput;
  readonly item: ExtractionItem;
}

/** The least confidence of statements that an event wants to be kept. */
export function confidenceFloor({ envelope }: ExtractionInput): number {
  return (JSON.parse(envelope) as Envelope).directives?.confidence_floor ?? 0;
}

/** What a model is asked about an event, in parts where it is long; nothing where its modality, kind or directives say so. */
export function itemsOf(input: ExtractionInput): AskedItem[] {
  const { content, directives, context, observed_at } = JSON.parse(input.envelope) as Envelope;
  const text = textOf(content);
  if (maxLayerOf(directives) === null || !MODALITIES.has(input.modality) || text.trim() === '') return [];
  const own = { timezone: context?.timezone, observed_at: context?.observed_at ?? observed_at };
  const offset = new Clocks().offsetAt(input.observed_at, own);
  const role = content.kind === 'message' ? content.role : null;
  return partsOf(text, EXTRACTION_PART_CHARACTERS).map((part) => ({
    input,
    item: {
      whole: text,
      from: part.from,
      part: part.text,
      observed_at: localRfc3339(input.observed_at, offset),
      held_since: localRfc3339(heldSince(input), offset),
      speaker: role === 'assistant' ? 'assistant' : input.observed_actor,
      role,
      about: input.subject,
    },
  }));
}

/** The text that somebody wrote or said; structured data says what it says by itself. */
function textOf(content: Content): string {
  switch (content.kind) {
    case 'message':
    case 'text':
      return content.text;
    case 'blob_ref':
      return content.transcript ?? '';
    case 'json':
    case 'triple':
    case 'declared_belief':
    case 'conflict_resolution':
      return '';
  }
}

/** Tries that an event has behind it from which on it is asked about alone, so that it does not take others with it. */
const ALONE_AFTER = 2;

/**
 * Items as they are asked about together: of one scope only, since what a model is shown it may mix up, in the order of the log, and
 * no more than fit into one call.
 */
export function callsOf(items: readonly AskedItem[], mostItems: number): AskedItem[][] {
  const open = new Map<string, AskedItem[]>();
  const calls: AskedItem[][] = [];
  for (const one of items) {
    const alone = one.input.unusable >= ALONE_AFTER;
    const call = open.get(one.input.scope_ref);
    if (!alone && call !== undefined && fits(call, one, mostItems)) {
      call.push(one);
      continue;
    }
    const started = [one];
    calls.push(started);
    if (!alone) open.set(one.input.scope_ref, started);
  }
  return calls;
}

function fits(call: readonly AskedItem[], { item }: AskedItem, mostItems: number): boolean {
  const characters = call.reduce((sum, one) => sum + one.item.part.length, item.part.length);
  return call.length < mostItems && characters <= EXTRACTION_CALL_CHARACTERS;
}
