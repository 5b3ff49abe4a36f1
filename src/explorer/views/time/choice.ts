import type { Axis, NodeType } from './queries.ts';
import { KINDS } from './words.ts';

/** Nodes of a page. */
export const PAGE_SIZE = 500;
/** The most pages that are drawn: 10,000 nodes. */
export const MOST_PAGES = 20;

/** What is looked at, as the address says. */
export interface Chosen {
  /** Null for all kinds. */
  readonly types: readonly NodeType[] | null;
  readonly entity: string | null;
  readonly q: string | null;
  /** Whether what is over is shown too. */
  readonly over: boolean;
  readonly valid: string | null;
  readonly recorded: string | null;
  /** The instant that is compared with, on `axis`; null for none. */
  readonly against: string | null;
  readonly axis: Axis;
  readonly isLive: boolean;
  /** How many pages are read. */
  readonly pages: number;
  /** Id of the node whose details are shown. */
  readonly node: string | null;
}

/**
 * What parameters of an address say is looked at. While it is live, nothing narrows it but what is over; a comparison is narrowed by kinds,
 * not by an entity or a text.
 */
export function chosenIn(
  parameters: Readonly<Record<string, string>>,
  { valid = null, recorded = null }: { readonly valid?: string | null; readonly recorded?: string | null },
): Chosen {
  const isLive = parameters.live === '1';
  const kinds = (parameters.types ?? '').split(',');
  const types = KINDS.filter((kind) => kinds.includes(kind));
  const pages = Number(parameters.pages ?? '1');
  const shared = {
    over: parameters.over === '1',
    axis: parameters.axis === 'valid' ? ('valid' as const) : ('recorded' as const),
    isLive,
    pages: Number.isInteger(pages) ? Math.min(Math.max(pages, 1), MOST_PAGES) : 1,
    node: textOf(parameters.node),
  };
  if (isLive)
    return { ...shared, types: null, entity: null, q: null, valid: null, recorded: null, against: null };
  const against = instantOf(parameters.against);
  return {
    ...shared,
    types: types.length === 0 || types.length === KINDS.length ? null : types,
    entity: against === null ? textOf(parameters.entity) : null,
    q: against === null ? textOf(parameters.q) : null,
    valid,
    recorded,
    against,
  };
}

/** What is no instant is compared with nothing. */
function instantOf(value: string | undefined): string | null {
  return value === undefined || Number.isNaN(Date.parse(value)) ? null : value;
}

function textOf(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}
