import type {
  AuditChain,
  AuditChainVerification,
  AuditPage,
  AuditRow,
  AuditVerification,
} from '../../schemas/audit.ts';
import type { ClaimHistory, ClaimPage } from '../../schemas/claim.ts';
import type {
  ConceptCoverage,
  ConceptHistory,
  ConceptItem,
  ConceptPage,
  RelatedConcepts,
  SynthesizeResponse,
} from '../../schemas/concept.ts';
import type { ConflictPage, ConflictView } from '../../schemas/conflict.ts';
import type { BeliefHistory, BeliefItem, BeliefPage, BeliefWhy } from '../../schemas/belief.ts';
import type { DerivationStatus } from '../../schemas/derivation.ts';
import type { LayerStats } from '../../schemas/layer-stats.ts';
import type {
  EntityEdgesPage,
  EntityItem,
  EntityLinkRecord,
  EntityPage,
  EntityRelation,
} from '../../schemas/entity.ts';
import type { EpisodeItem, EpisodePage } from '../../schemas/episode.ts';
import type { CancelResponse, EventItem, EventPage } from '../../schemas/event.ts';
import type { BulkResponse, CaptureResponse, ExperienceStatus } from '../../schemas/experience.ts';
import type { FactItem, FactPage, FactTimeline, FactWhy } from '../../schemas/fact.ts';
import type { GraphDiff, GraphPage } from '../../schemas/graph.ts';
import type { AdminReady, Health, MetricsReading, Ready, Version } from '../../schemas/health.ts';
import type { LifecycleItem, LifecyclePage, MemoryEventTrace } from '../../schemas/lifecycle.ts';
import type { DeploymentPolicy, EffectivePolicy } from '../../schemas/policy-record.ts';
import type { ProvenanceGraph } from '../../schemas/provenance.ts';
import type { RecallPack } from '../../schemas/recall.ts';
import type { MemoryRecord } from '../../schemas/record.ts';
import type {
  PruneScopesResponse,
  ScopeListItem,
  ScopePage,
  ScopeRecord,
} from '../../schemas/scope-record.ts';
import type { TemporalPhraseItem, TemporalPhrasePage } from '../../schemas/temporal-phrase.ts';
import type { MintResponse, SignupResponse, Whoami } from '../../schemas/token.ts';
import type { BuiltBeliefs, BuiltEpisodes, RederiveAccepted, RederiveJob } from '../../schemas/rebuild.ts';
import type { Usage } from '../../schemas/usage.ts';
import type { RequestOrigin } from '../access/request-record.ts';
import type { AnswerOperations, ComposeOperations } from './answer-operations.ts';
import type { BlobOperations, KeyedBlobOperations } from './blob-operations.ts';
import type { ErasureOperations } from './erasure-operations.ts';
import type { ForgetOperations } from './forget-operations.ts';
import type { LegalHoldOperations } from './legal-hold-operations.ts';
import type { RetentionOperations } from './retention-operations.ts';
import type { SuppressionOperations } from './suppression-operations.ts';
import type { VocabularyOperations } from './vocabulary-operations.ts';
import type { Call } from './access.ts';
import type { Authenticator } from './authenticator.ts';
import type { WrittenFrame, WrittenStream } from './written-frames.ts';

export type { RequestOrigin } from '../access/request-record.ts';

// What the adapters need of the services: one method for each operation. Inputs arrive as parsed from the transport and
// are validated by the service.

/** Capture. */
export interface ExperienceOperations {
  capture(call: Call, body: unknown, query: unknown): Promise<CaptureResponse>;
  captureBulk(call: Call, body: unknown, query: unknown): Promise<BulkResponse>;
  status(call: Call, query: unknown): Promise<ExperienceStatus>;
}

/** A frame of a pack that is sent while it is made. */
export type RecallFrame = WrittenFrame<RecallPack, Pick<RecallPack['provenance'], 'citations'>>;

/** Recall. */
export interface RecallOperations {
  recall(call: Call, body: unknown): Promise<RecallPack>;
  /** The pack, or the stream of it where the body asks for that. */
  respond(call: Call, body: unknown): Promise<RecallPack | WrittenStream<RecallFrame>>;
}

/** Reading and cancelling events. */
export interface EventOperations {
  list(call: Call, query: unknown): Promise<EventPage>;
  get(call: Call, id: string, query: unknown): Promise<EventItem>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(EventItem | null)[]>;
  /** The cursor that continues a listing after an event. */
  cursorOf(event: EventItem): string;
  cancel(call: Call, id: string, body: unknown): Promise<CancelResponse>;
}

/** Facts; a query of a reading by id names instants only. */
export interface FactOperations {
  list(call: Call, query: unknown): Promise<FactPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string, query: unknown): Promise<FactItem>;
  /**
   * In the order of the ids, null where the caller may read none at the instants. Of one that others interrupted the interval at the valid
   * instant is shown (default: now).
   */
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(FactItem | null)[]>;
  /** Throws `NOT_FOUND`. */
  why(call: Call, id: string, query: unknown): Promise<FactWhy>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  whyMany(call: Call, ids: readonly string[], query: unknown): Promise<(FactWhy | null)[]>;
  timeline(call: Call, query: unknown): Promise<FactTimeline>;
  /** The cursor that continues a listing behind a fact of it. */
  cursorOf(fact: FactItem): string;
}

/** What is believed. */
export interface BeliefOperations {
  /** Resolves when it is derived. */
  declare(call: Call, body: unknown): Promise<BeliefItem>;
  list(call: Call, query: unknown): Promise<BeliefPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string, query: unknown): Promise<BeliefItem>;
  /** Throws `NOT_FOUND`. */
  history(call: Call, query: unknown): Promise<BeliefHistory>;
  /** Throws `NOT_FOUND`. */
  why(call: Call, query: unknown): Promise<BeliefWhy>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  whyMany(call: Call, ids: readonly string[], query: unknown): Promise<(BeliefWhy | null)[]>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(BeliefItem | null)[]>;
  /** The cursor that continues a listing behind a belief of it. */
  cursorOf(belief: BeliefItem): string;
}

/** What is understood; a query of a reading by id names instants, and how much of what hangs on it is wanted. */
export interface ConceptOperations {
  list(call: Call, query: unknown): Promise<ConceptPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string, query: unknown): Promise<ConceptItem>;
  /** Concepts in the order of the ids, null where there is none. */
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(ConceptItem | null)[]>;
  /** Throws `NOT_FOUND`. */
  history(call: Call, id: string, query: unknown): Promise<ConceptHistory>;
  /** Throws `NOT_FOUND`. */
  related(call: Call, id: string, query: unknown): Promise<RelatedConcepts>;
  coverage(call: Call, query: unknown): Promise<ConceptCoverage>;
  synthesize(call: Call, body: unknown): Promise<SynthesizeResponse>;
  /** The cursor that continues a listing behind a concept of it. */
  cursorOf(concept: ConceptItem): string;
}

/** What facts are about. */
export interface EntityOperations {
  list(call: Call, query: unknown): Promise<EntityPage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string, query: unknown): Promise<EntityItem>;
  /** Throws `NOT_FOUND`. */
  edges(call: Call, id: string, query: unknown): Promise<EntityEdgesPage>;
  /** Throws `NOT_FOUND`, `LINK_CONFLICT`. */
  link(call: Call, body: unknown): Promise<EntityLinkRecord>;
  /** Throws `NOT_FOUND`. */
  unlink(call: Call, id: string): Promise<EntityLinkRecord>;
  /** The cursor that continues a page behind an item of it. */
  cursorOf(item: EntityItem | EntityRelation): string;
}

/** Episodes; a query of a reading by id names instants only. */
export interface EpisodeOperations {
  list(call: Call, query: unknown): Promise<EpisodePage>;
  /** Throws `NOT_FOUND`. */
  get(call: Call, id: string, query: unknown): Promise<EpisodeItem>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  getMany(call: Call, ids: readonly string[], query: unknown): Promise<(EpisodeItem | null)[]>;
  /** The cursor that continues a listing behind an episode of it. */
  cursorOf(episode: EpisodeItem): string;
}

/** Records of whatever layer, and what they have to do with one another. */
export interface ProvenanceOperations {
  /** Throws `NOT_FOUND`. */
  record(call: Call, id: string, query: unknown): Promise<MemoryRecord>;
  /** Throws `NOT_FOUND`. */
  graph(call: Call, id: string, query: unknown): Promise<ProvenanceGraph>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  graphs(call: Call, ids: readonly string[], query: unknown): Promise<(ProvenanceGraph | null)[]>;
  /** For each of some records that the caller may read the ids of those that it is linked to. */
  links(call: Call, ids: readonly string[], query: unknown): Promise<string[][]>;
}

/** Frames in commit order; `return()` detaches the reader. */
export interface LifecycleSubscription extends AsyncIterableIterator<LifecycleItem, undefined> {
  /** Fires when the reader did not even take the end of its stream in time: the transport has to cut the connection. */
  readonly abandoned: AbortSignal;
  next(): Promise<IteratorResult<LifecycleItem, undefined>>;
  return(): Promise<IteratorResult<LifecycleItem, undefined>>;
}

/** What happens to events. */
export interface LifecycleOperations {
  list(call: Call, query: unknown): Promise<LifecyclePage>;
  /** One frame by its id. Throws `NOT_FOUND`. */
  get(call: Call, id: string): Promise<LifecycleItem>;
  /**
   * Frames from the cursor, then live, until `call.signal` fires or after a `lagging` or `policy_revoked` frame that ends them. Throws
   * `INVALID_QUERY`, `POLICY_DENIED`, `SERVER_BUSY`.
   */
  subscribe(call: Call, query: unknown): Promise<LifecycleSubscription>;
  memoryEvent(call: Call, id: string, query: unknown): Promise<MemoryEventTrace>;
  /** In the order of the ids, null where the caller may read none at the instants. */
  memoryEvents(call: Call, ids: readonly string[], query: unknown): Promise<(MemoryEventTrace | null)[]>;
}

/** Progress of derivation. */
export interface DerivationOperations {
  status(call: Call, query: unknown): Promise<DerivationStatus>;
  layerStats(call: Call): Promise<LayerStats>;
}

/** What is claimed. */
export interface ClaimOperations {
  list(call: Call, query: unknown): Promise<ClaimPage>;
  history(call: Call, query: unknown): Promise<ClaimHistory>;
}

/** What derives again. */
export interface RebuildOperations {
  /** Throws `NO_TARGETS`, `NO_ELIGIBLE_EVENTS`, `NOT_A_MEMBER`, `REDERIVE_IN_PROGRESS`. */
  rederive(call: Call, body: unknown): Promise<RederiveAccepted>;
  /** Throws `JOB_NOT_FOUND`. */
  job(call: Call, id: string): Promise<RederiveJob>;
  /** Throws `NOT_A_MEMBER`, `WAIT_TIMEOUT`. */
  buildBeliefs(call: Call, body: unknown): Promise<BuiltBeliefs>;
  /** Throws `NOT_A_MEMBER`, `WAIT_TIMEOUT`. */
  buildEpisodes(call: Call, body: unknown): Promise<BuiltEpisodes>;
}

/** Conflicts. */
export interface ConflictOperations {
  list(call: Call, query: unknown): Promise<ConflictPage>;
  get(call: Call, id: string, query: unknown): Promise<ConflictView>;
  /** Resolves when it is derived. */
  resolve(call: Call, id: string, body: unknown): Promise<ConflictView>;
}

/** The register of scopes. */
export interface ScopeOperations {
  register(call: Call, body: unknown): Promise<ScopeRecord>;
  get(call: Call, query: unknown): Promise<ScopeRecord>;
  setPolicies(call: Call, query: unknown, body: unknown): Promise<ScopeRecord>;
  setMembers(call: Call, query: unknown, body: unknown): Promise<ScopeRecord>;
  /** Resolves when all of it is done. */
  delete(call: Call, query: unknown): Promise<void>;
  list(call: Call, query: unknown): Promise<ScopePage>;
  /** The cursor that continues a list after a scope of it. */
  cursorOf(call: Call, scope: ScopeListItem): string;
  prune(call: Call): Promise<PruneScopesResponse>;
}

/** A phrase that was defined, and whether there was none of its name before. */
export interface DefinedPhrase {
  readonly created: boolean;
  readonly phrase: TemporalPhraseItem;
}

/** Own time phrases. */
export interface TemporalPhraseOperations {
  define(call: Call, body: unknown): Promise<DefinedPhrase>;
  list(call: Call, query: unknown): Promise<TemporalPhrasePage>;
  /** Throws `NOT_FOUND`. */
  remove(call: Call, name: string): Promise<void>;
  /** The cursor that continues a listing behind a phrase of it. */
  cursorOf(phrase: TemporalPhraseItem): string;
}

/** Who may do what. */
export interface PolicyOperations {
  effective(call: Call, query: unknown): Promise<EffectivePolicy>;
  deployment(call: Call): Promise<DeploymentPolicy>;
}

/** The audit log. */
export interface AuditOperations {
  list(call: Call, query: unknown): Promise<AuditPage>;
  get(call: Call, id: string): Promise<AuditRow>;
  verify(call: Call, body: unknown): Promise<AuditVerification>;
  chain(call: Call, query: unknown): Promise<AuditChain>;
  verifyChain(call: Call, body: unknown): Promise<AuditChainVerification>;
  /** The cursor that continues a list behind a row of it. */
  cursorOf(row: AuditRow): string;
}

/** Leaves the rows of the audit log: every transport does the work of a request within it. */
export interface AuditingOperations {
  /**
   * Does the work on behalf of the call that it is handed, and leaves what the audit log has to say of it before the answer is
   * handed on. `statusOf`: the status of an answer where it may be another one than that of the operation.
   */
  around<T, C extends Call | null>(
    call: C,
    origin: RequestOrigin,
    work: (call: C) => T | Promise<T>,
    statusOf?: (answer: T) => number,
  ): Promise<T>;
}

/** Metrics in a text format. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** State of the server. */
export interface HealthOperations {
  health(): Health;
  ready(): Promise<Ready>;
  adminHealth(): Health;
  /** `null`: nobody in particular asks, details are withheld. */
  adminReady(call: Call | null): Promise<AdminReady>;
  version(): Version;
  /** The metrics as text, or as JSON where the query says so. */
  metrics(call: Call, query: unknown): Promise<MetricsText | { readonly body: MetricsReading }>;
}

/** What models cost. */
export interface UsageOperations {
  usage(call: Call, query: unknown): Promise<Usage>;
}

/** Tokens. */
export interface TokenOperations {
  /** Makes a tenant for whoever asks from an address. */
  signup(body: unknown): Promise<SignupResponse>;
  mint(call: Call, body: unknown): Promise<MintResponse>;
  whoami(call: Call): Whoami;
  revoke(call: Call, body: unknown): Promise<void>;
}

/** What can be asked of the graph of a scope. */
export interface GraphOperations {
  page(call: Call, query: unknown): Promise<GraphPage>;
  diff(call: Call, query: unknown): Promise<GraphDiff>;
  neighbours(call: Call, id: string, query: unknown): Promise<GraphPage>;
  /** What changes in a graph, each change as an item of a stream of frames. Throws `INVALID_QUERY`, `POLICY_DENIED`, `SERVER_BUSY`. */
  subscribe(call: Call, query: unknown): Promise<LifecycleSubscription>;
}

/** A file as it is made. */
export interface ExportedFile {
  readonly mediaType: string;
  /** Letters, digits, `_`, `.` and `-` alone. */
  readonly fileName: string;
  /** Its text; what fails before the first piece failed as a whole. */
  readonly pieces: AsyncGenerator<string>;
}

/** Graphs as files for other tools. */
export interface GraphExportOperations {
  graph(call: Call, query: unknown): Promise<ExportedFile>;
  /** Throws `NOT_FOUND`. */
  provenance(call: Call, id: string, query: unknown): Promise<ExportedFile>;
}

/** All services that routes call. */
export interface Services {
  readonly access: Pick<Authenticator, 'admit'>;
  readonly experience: ExperienceOperations;
  readonly recall: RecallOperations;
  readonly answer: AnswerOperations;
  readonly compose: ComposeOperations;
  readonly event: EventOperations;
  readonly fact: FactOperations;
  readonly entity: EntityOperations;
  readonly belief: BeliefOperations;
  readonly concept: ConceptOperations;
  readonly episode: EpisodeOperations;
  readonly provenance: ProvenanceOperations;
  readonly graph: GraphOperations;
  readonly graphExport: GraphExportOperations;
  readonly lifecycle: LifecycleOperations;
  readonly derivation: DerivationOperations;
  readonly claim: ClaimOperations;
  readonly rebuild: RebuildOperations;
  readonly forget: ForgetOperations;
  readonly erasure: ErasureOperations;
  readonly legalHold: LegalHoldOperations;
  readonly suppression: SuppressionOperations;
  readonly retention: RetentionOperations;
  readonly conflict: ConflictOperations;
  readonly blob: BlobOperations;
  readonly keyedBlob: KeyedBlobOperations;
  readonly temporalPhrase: TemporalPhraseOperations;
  readonly vocabulary: VocabularyOperations;
  readonly scope: ScopeOperations;
  readonly policy: PolicyOperations;
  readonly token: TokenOperations;
  readonly health: HealthOperations;
  readonly usage: UsageOperations;
  readonly audit: AuditOperations;
  readonly auditing: AuditingOperations;
}
