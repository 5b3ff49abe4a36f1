import { mutation, query } from '../../api/document.ts';
import type { EventPart, Layer, MemoryRecord } from '../../records/record.ts';
import { EVENT, RECORD } from '../../records/selection.ts';

/** A number of records for each layer. */
export type Counts = Readonly<Record<Layer, number>>;
/** Ids for each layer. */
export type Ids = Readonly<Record<Layer, readonly string[]>>;

const LAYERS = '{ events episodes facts beliefs understanding }';

/** Which records are meant, as the contract takes it: every condition has to hold. */
export interface Selector {
  readonly memoryIds?: readonly string[];
  readonly aboutSubject?: string;
  readonly aboutEntity?: string;
  readonly predicate?: string;
  readonly labels?: readonly string[];
  readonly validDuring?: readonly [string, string];
  readonly recordedDuring?: readonly [string, string];
}

/** How far a forget goes. */
export type Cascade = 'derived_only' | 'redact_events' | 'none';

/** What is selected. */
export interface Selected {
  readonly scope: string;
  readonly selector?: Selector;
  readonly confirmAll?: boolean;
}

/** What a forget would do. */
export interface ForgetPreview {
  readonly previewId: string;
  readonly expiresAt: string;
  readonly estimatedDeleted: Counts;
  readonly estimatedRevised: Counts;
  readonly ids: Ids;
  readonly revisedIds: Ids;
  readonly idsTruncated: boolean;
  readonly requested: number;
  readonly matched: number;
  readonly eventsUnderLegalHold: number;
}

export const PREVIEW_FORGET = mutation<
  { readonly previewForget: ForgetPreview | null },
  { readonly input: Selected & { readonly layers?: readonly Layer[]; readonly cascade: Cascade } }
>(`
  mutation PreviewForget($input: PreviewForgetInput!) {
    previewForget(input: $input) {
      previewId expiresAt requested matched eventsUnderLegalHold idsTruncated
      estimatedDeleted ${LAYERS}
      estimatedRevised ${LAYERS}
      ids ${LAYERS}
      revisedIds ${LAYERS}
    }
  }
`);

/** What an erasure would do. */
export interface ErasurePreview {
  readonly previewId: string;
  readonly expiresAt: string;
  readonly estimatedAffected: Counts;
  readonly estimatedRevised: Counts;
  readonly refcountBreakdown: {
    readonly eventsToDelete: number;
    readonly eventsToRedact: number;
    readonly eventsUnderLegalHold: number;
  };
  readonly crossScopePropagation: {
    readonly affectedWorkspaces: readonly string[];
    readonly requiresCapability: string | null;
  };
  readonly legalHolds: readonly string[];
  readonly estimatedDurationMs: number;
}

export const PREVIEW_ERASURE = mutation<
  { readonly previewErasure: ErasurePreview | null },
  { readonly input: Selected }
>(`
  mutation PreviewErasure($input: PreviewErasureInput!) {
    previewErasure(input: $input) {
      previewId expiresAt legalHolds estimatedDurationMs
      estimatedAffected ${LAYERS}
      estimatedRevised ${LAYERS}
      refcountBreakdown { eventsToDelete eventsToRedact eventsUnderLegalHold }
      crossScopePropagation { affectedWorkspaces requiresCapability }
    }
  }
`);

/** A preview that is executed. */
export interface Executed {
  readonly scope: string;
  readonly fromPreviewId: string;
  readonly suppress?: boolean;
  readonly auditNote?: string;
}

/** What is gone. */
export interface Forgotten {
  readonly deleted: Counts;
  readonly auditId: string;
  readonly suppressionId: string | null;
}

export const FORGET = mutation<{ readonly forget: Forgotten | null }, { readonly input: Executed }>(`
  mutation Forget($input: ForgetInput!) {
    forget(input: $input) { deleted ${LAYERS} auditId suppressionId }
  }
`);

export const ERASE = mutation<
  { readonly erase: { readonly erasureId: string } | null },
  { readonly input: Executed & { readonly idempotencyKey: string } }
>(`
  mutation Erase($input: EraseInput!) {
    erase(input: $input) { erasureId }
  }
`);

/** A kind of node of the graph. */
export type NodeType = 'event' | 'episode' | 'fact' | 'belief' | 'concept' | 'entity';

/** What is at the other ends of the edges of a record. */
export interface NeighbourhoodData {
  readonly node: MemoryRecord | null;
  readonly neighbours: {
    readonly nodes: readonly { readonly id: string; readonly type: NodeType; readonly summary: string }[];
    readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
  } | null;
}

export const NEIGHBOURHOOD = query<NeighbourhoodData, { readonly id: string }>(`
  query Neighbourhood($id: ID!) {
    node(id: $id) { ${RECORD} }
    neighbours(id: $id, includeSuperseded: true, first: 12) {
      nodes { id type summary }
      edges { from to type }
    }
  }
`);

export const NODE = query<{ readonly node: MemoryRecord | null }, { readonly id: string }>(`
  query Node($id: ID!) {
    node(id: $id) { ${RECORD} }
  }
`);

/** An event that words, or an actor, found. */
export interface FoundEvent {
  readonly id: string;
  readonly event: (EventPart & { readonly observedActor: { readonly session: string | null } }) | null;
}

export const FIND_EVENTS = query<
  { readonly recall: { readonly layers: { readonly events: readonly FoundEvent[] } } | null },
  { readonly scope: string; readonly words: string | null; readonly filters: unknown }
>(`
  query FindEvents($scope: String!, $words: String, $filters: JSON) {
    recall(
      input: {
        scope: $scope, view: local, query: $words, filters: $filters, include: [events], includeSuperseded: true
        budgets: { maxTokens: 100000, maxEvents: 100 }
      }
    ) {
      layers { events { id event { observedActor { session } ${EVENT} } } }
    }
  }
`);
