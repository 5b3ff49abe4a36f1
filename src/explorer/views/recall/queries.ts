import { query } from '../../api/document.ts';
import type { AsOf } from '../../api/document.ts';
import type {
  BeliefPart,
  ConceptPart,
  EpisodePart,
  EventPart,
  FactPart,
  Layer,
  MemoryRecord,
} from '../../records/record.ts';
import { BELIEF, CONCEPT, EPISODE, EVENT, FACT, RECORD } from '../../records/selection.ts';

/** What a hit was found by. */
export type Signal = 'keyword' | 'vector' | 'graph' | 'recency';

/** What every hit says of itself. */
export interface Found {
  readonly id: string;
  readonly score: number;
  readonly matchedBy: readonly Signal[];
}

/** A chunk of a long text that holds words of the query, in bytes of the text. */
export interface Fragment {
  readonly chunkId: string;
  readonly byteRange: { readonly start: number; readonly end: number };
}

/** A place in a list that was fused, by the name of the list. */
export type Places = Readonly<Record<string, { readonly rank: number; readonly score: number }>>;

/** How a candidate was ranked. */
export interface Candidate {
  readonly eventId: string;
  readonly finalRank: number | null;
  readonly fusedRank: number;
  readonly channels: Places;
  readonly matchedVia: readonly string[];
}

/** How a recall went. */
export interface Diagnostics {
  readonly scopesTraversed: readonly string[];
  readonly scopesWithheld: number;
  readonly signals: readonly Signal[];
  readonly timeMs: { readonly total: number };
  readonly tokens: { readonly budget: number; readonly used: number };
  readonly evicted: Readonly<Record<string, number>>;
  readonly items: readonly Candidate[] | null;
  readonly drops: readonly { readonly eventId: string; readonly reason: string }[] | null;
  readonly itemsTruncated: boolean | null;
}

/** A step of a recall. */
export interface Phase {
  readonly phase: string;
  readonly elapsedMs: number;
  readonly values: unknown;
}

/** What a marker stands for. */
export type Citations = Readonly<Record<string, { readonly layer: string; readonly id: string }>>;

/** What a recall brings. */
export interface Pack {
  readonly contextBlock: string;
  readonly warnings: readonly string[];
  readonly ambiguousEntity: readonly { readonly name: string; readonly ids: readonly string[] }[] | null;
  readonly asOf: { readonly valid: string; readonly recorded: string | null };
  readonly layers: {
    readonly events: readonly (Found & {
      readonly content: Readonly<Record<string, unknown>> | null;
      readonly matchedFragments: readonly Fragment[] | null;
      readonly event: (EventPart & { readonly scope: string }) | null;
    })[];
    readonly episodes: readonly (Found & { readonly episode: EpisodePart & { readonly scope: string } })[];
    readonly facts: readonly (Found & { readonly fact: FactPart & { readonly scope: string } })[];
    readonly beliefs: readonly (Found & { readonly belief: BeliefPart & { readonly scope: string } })[];
    readonly understanding: readonly (Found & {
      readonly concept: ConceptPart & { readonly scope: string };
    })[];
  };
  readonly provenance: { readonly trail: readonly Phase[]; readonly citations: Citations };
  readonly diagnostics: Diagnostics;
}

/** What is asked, as the contract takes it. */
export interface RecallInput {
  readonly scope: string;
  readonly query?: string;
  readonly view?: string;
  readonly include?: readonly Layer[];
  readonly temporal?: { readonly natural?: string; readonly asOf?: AsOf };
  readonly budgets?: { readonly maxTokens: number };
  readonly includeSuperseded?: boolean;
  readonly diagnostics?: 'full';
}

const FOUND = 'id score matchedBy';
const DIAGNOSTICS = `
  scopesTraversed scopesWithheld signals evicted itemsTruncated
  timeMs { total }
  tokens { budget used }
  items { eventId finalRank fusedRank channels matchedVia }
  drops { eventId reason }`;

export const RECALL = query<{ readonly recall: Pack | null }, { readonly input: RecallInput }>(`
  query Recall($input: RecallInput!) {
    recall(input: $input) {
      contextBlock warnings
      ambiguousEntity { name ids }
      asOf { valid recorded }
      layers {
        events { ${FOUND} content matchedFragments { chunkId byteRange { start end } } event { scope ${EVENT} } }
        episodes { ${FOUND} episode { scope ${EPISODE} } }
        facts { ${FOUND} fact { scope ${FACT} } }
        beliefs { ${FOUND} belief { scope ${BELIEF} } }
        understanding { ${FOUND} concept { scope ${CONCEPT} } }
      }
      provenance { citations trail { phase elapsedMs values } }
      diagnostics { ${DIAGNOSTICS} }
    }
  }
`);

/** A record that an answer rests on. */
export interface Citation {
  readonly marker: string;
  readonly layer: Layer;
  readonly id: string;
  readonly supportStrength: number;
  readonly record: (MemoryRecord & { readonly scope: string }) | null;
}

/** What a model answered. */
export interface AnswerData {
  readonly answer: {
    readonly answer: string;
    readonly warnings: readonly string[];
    readonly citations: readonly Citation[];
    readonly diagnostics: {
      readonly llmModel: string | null;
      readonly verifierModel: string | null;
      readonly verification: string;
      readonly llmMs: number;
      readonly droppedCitations: readonly string[];
      readonly truncated: boolean;
    };
  } | null;
}

/** What is asked of a model: a recall with its words as a question. */
export type AnswerInput = Omit<RecallInput, 'query' | 'diagnostics'> & { readonly question: string };

export const ANSWER = query<AnswerData, { readonly input: AnswerInput }>(`
  query Answer($input: AnswerInput!) {
    answer(input: $input) {
      answer warnings
      citations { marker layer id supportStrength record { scope ${RECORD} } }
      diagnostics { llmModel verifierModel verification llmMs droppedCitations truncated }
    }
  }
`);

/** Whether a model is there that answers; what is missing is told to who may read diagnostics. */
export const ANSWERING = query<{
  readonly adminReady: {
    readonly checks: Readonly<
      Record<string, { readonly status: string; readonly detail?: string; readonly fix?: string }>
    >;
  } | null;
}>(`
  query Answering { adminReady { checks } }
`);
