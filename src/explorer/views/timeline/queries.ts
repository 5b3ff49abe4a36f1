import { query, type AsOf, type Page, type PageInfo } from '../../api/document.ts';
import type { Content } from '../home/queries.ts';

const CONTENT = `content {
  kind
  ... on MessageContent { role text }
  ... on TextContent { text }
  ... on TripleContent {
    triple {
      predicate polarity
      subject { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
      object { type ... on EntityTerm { id name } ... on LiteralTerm { value } }
    }
  }
}`;

/** An event on the line. */
export interface LineEvent {
  readonly id: string;
  readonly modality: string;
  readonly observedActor: { readonly id: string };
  readonly context: { readonly observedAt: string; readonly labels: readonly string[] };
  readonly content: Content;
}

/** What every reading of the line takes. */
interface Reading {
  readonly scope: string;
  readonly asOf: AsOf | null;
  readonly first: number;
  readonly after: string | null;
}

export const EVENTS = query<
  { readonly events: Page<LineEvent> | null },
  Reading & {
    readonly actor: readonly string[] | null;
    readonly labels: readonly string[] | null;
    readonly modality: readonly string[] | null;
  }
>(`
  query LineEvents(
    $scope: String!, $actor: [String!], $labels: [String!], $modality: [String!], $asOf: AsOf, $first: Int, $after: String
  ) {
    events(
      scope: $scope, observedActor: $actor, labels: $labels, modality: $modality, asOf: $asOf, first: $first, after: $after
    ) {
      nodes { id modality observedActor { id } context { observedAt labels } ${CONTENT} }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** An episode on the line. */
export interface LineEpisode {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export const EPISODES = query<{ readonly episodes: Page<LineEpisode> | null }, Reading>(`
  query LineEpisodes($scope: String!, $asOf: AsOf, $first: Int, $after: String) {
    episodes(scope: $scope, asOf: $asOf, first: $first, after: $after) {
      nodes { id name startedAt endedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** An event or an episode that holds the words, with what it stands in. */
export interface FoundNode {
  readonly id: string;
  readonly type: 'event' | 'episode';
  readonly summary: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** A page of what holds the words. */
export interface FoundPage {
  readonly nodes: readonly FoundNode[];
  readonly pageInfo: PageInfo;
}

export const HOLDING = query<{ readonly graph: FoundPage | null }, Reading & { readonly q: string }>(`
  query Holding($scope: String!, $q: String!, $asOf: AsOf, $first: Int, $after: String) {
    graph(
      scope: $scope, types: [event, episode], q: $q, includeSuperseded: true, asOf: $asOf, first: $first, after: $after
    ) {
      nodes { id type summary validFrom validTo }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** An event as a whole. */
export interface WholeEvent extends LineEvent {
  readonly scope: string;
  readonly caller: string;
  readonly subject: { readonly id: string };
  readonly context: LineEvent['context'] & { readonly recordedAt: string; readonly intent: string | null };
}

export const EVENT = query<{ readonly event: WholeEvent | null }, { readonly id: string }>(`
  query LineEvent($id: ID!) {
    event(id: $id) {
      id scope caller modality
      observedActor { id }
      subject { id }
      context { observedAt recordedAt labels intent }
      ${CONTENT}
    }
  }
`);

/** An episode as a whole. */
export interface WholeEpisode extends LineEpisode {
  readonly scope: string;
  readonly summary: string;
  readonly recordedFrom: string;
  readonly causalChain:
    | readonly { readonly event: string; readonly role: string; readonly summary: string }[]
    | null;
}

export const EPISODE = query<{ readonly episode: WholeEpisode | null }, { readonly id: string }>(`
  query LineEpisode($id: ID!) {
    episode(id: $id) {
      id scope name summary startedAt endedAt recordedFrom
      causalChain { event role summary }
    }
  }
`);

/** What was made of a record. */
export interface MadeOf {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly summary: string }[];
  readonly truncated: boolean;
}

export const MADE_OF = query<{ readonly provenance: MadeOf | null }, { readonly id: string }>(`
  query MadeOf($id: ID!) {
    provenance(id: $id, direction: up) {
      nodes { id type summary }
      truncated
    }
  }
`);
