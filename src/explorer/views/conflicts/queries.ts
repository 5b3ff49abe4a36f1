import { mutation, query, type AsOf, type Page } from '../../api/document.ts';
import type { EventPart } from '../../records/record.ts';
import { EVENT } from '../../records/selection.ts';

/** How a conflict may be settled. */
export type Action = 'pick' | 'split' | 'new_information' | 'dismiss';

/** What a conflict may be. */
export type Status = 'open' | 'manually_resolved' | 'dismissed' | 'withdrawn';

/** A statement on one side of a conflict. */
export interface Statement {
  readonly id: string;
  readonly eventId: string;
  readonly subject: string;
  readonly object: string;
  readonly validFrom: string;
  readonly validFromBasis: 'stated' | 'observed';
  readonly validTo: string | null;
  readonly recordedFrom: string;
  readonly status: 'active' | 'superseded' | 'displaced';
  readonly sourceAuthority: string;
  readonly extractor: string;
  readonly confidence: number;
}

/** Two values of a claim that has one. */
export interface Conflict {
  readonly id: string;
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
  readonly status: Status;
  readonly records: readonly Statement[];
  readonly detectedAt: string;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
  readonly resolution: {
    readonly action: Action;
    readonly winner: string | null;
    readonly boundary: string | null;
    readonly earlier: string | null;
    readonly later: string | null;
    readonly reason: string | null;
  } | null;
  readonly confidence: number;
}

const CONFLICT_FIELDS = `
  id scope subject predicate status detectedAt resolvedAt resolvedBy confidence
  resolution { action winner boundary earlier later reason }
  records {
    id eventId subject object validFrom validFromBasis validTo recordedFrom status sourceAuthority extractor confidence
  }`;

export const CONFLICTS = query<
  { readonly conflicts: (Page<Conflict> & { readonly total: number }) | null },
  {
    readonly scope: string;
    readonly status: 'open' | 'all';
    readonly asOf: AsOf | null;
    readonly after: string | null;
  }
>(`
  query Conflicts($scope: String!, $status: ConflictFilter, $asOf: AsOf, $after: String) {
    conflicts(scope: $scope, status: $status, asOf: $asOf, first: 25, after: $after) {
      nodes { ${CONFLICT_FIELDS} }
      pageInfo { hasNextPage endCursor }
      total
    }
  }
`);

export const CONFLICT = query<
  { readonly conflict: Conflict | null },
  { readonly id: string; readonly asOf: AsOf | null }
>(`
  query Conflict($id: ID!, $asOf: AsOf) {
    conflict(id: $id, asOf: $asOf) { ${CONFLICT_FIELDS} }
  }
`);

/** What an entity is called. */
export const NAME = query<
  { readonly entity: { readonly name: string | null } | null },
  { readonly id: string; readonly scope: string }
>(`
  query Name($id: ID!, $scope: String) {
    entity(id: $id, scope: $scope) { name }
  }
`);

/** An entity with what it is called. */
export interface NamedEntity {
  readonly id: string;
  readonly name: string | null;
}

/** Entities with a text in one of their names. */
export const NAMED = query<
  { readonly entities: Pick<Page<NamedEntity & { readonly aliases: readonly string[] }>, 'nodes'> | null },
  { readonly scope: string; readonly q: string }
>(`
  query Named($scope: String!, $q: String!) {
    entities(scope: $scope, q: $q, first: 200) { nodes { id name aliases } }
  }
`);

/** Whether a value is an entity, and else of which datatype. */
export type StatedValue =
  | { readonly type: 'entity' }
  | { readonly type: 'literal'; readonly datatype: string };

/** What the value of a statement is. */
export const STATED_VALUE = query<
  { readonly fact: { readonly object: StatedValue } | null },
  { readonly id: string }
>(`
  query StatedValue($id: ID!) {
    fact(id: $id) { object { type ... on LiteralTerm { datatype } } }
  }
`);

/** The words of an event that a side rests on. */
export const EVIDENCE = query<{ readonly event: EventPart | null }, { readonly id: string }>(`
  query Evidence($id: ID!) {
    event(id: $id) { ${EVENT} }
  }
`);

/** An entity or a value as it is sent. */
export type TermInput =
  | { readonly entity: { readonly id: string; readonly name?: string } }
  | { readonly literal: { readonly datatype: string; readonly value: unknown } };

/** What holds instead of what contradicts itself. */
export interface Stated {
  readonly object?: TermInput;
  readonly subject?: TermInput;
}

/** How somebody settles a conflict. */
export interface Settlement {
  readonly action: Action;
  readonly winner?: string;
  readonly boundary?: string;
  readonly earlier?: string;
  readonly later?: string;
  readonly reason?: string;
  readonly record?: Stated & { readonly validFrom?: string; readonly validTo?: string };
}

export const SETTLE = mutation<
  { readonly resolveConflict: { readonly id: string; readonly status: Status } | null },
  { readonly id: string; readonly input: Settlement }
>(`
  mutation Settle($id: ID!, $input: ResolveConflictInput!) {
    resolveConflict(id: $id, input: $input) { id status }
  }
`);

/** A settlement is an event: without it the conflict is open again. */
export const REOPEN = mutation<
  { readonly cancelEvent: { readonly eventId: string } | null },
  { readonly event: string }
>(`
  mutation Reopen($event: ID!) {
    cancelEvent(id: $event) { eventId }
  }
`);
