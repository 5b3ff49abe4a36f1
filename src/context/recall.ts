import type { Ledger } from './ledger.ts';
import type { Base } from './base.ts';
import { DerivedReader } from '../../graph/derived.ts';
import type { Database } from '../../graph/driver.ts';
import type { PinnedModel } from '../../graph/embedding/model.ts';
import { VectorReader } from '../../graph/embedding/search.ts';
import { EntityLinkReader } from '../../graph/entity/link.ts';
import { FactReader } from '../../graph/fact/read.ts';
import { FactSaidReader } from '../../graph/fact/said.ts';
import { PackStore } from '../../graph/pack.ts';
import { RecallReader } from '../../graph/recall.ts';
import { StatedReader } from '../../graph/recall-stated.ts';
import { UnindexedReader } from '../../graph/recall-unindexed.ts';
import { TemporalPhraseReader } from '../../graph/temporal-phrase.ts';
import { MAX_TEMPORAL_PHRASES } from '../limits/temporal.ts';
import { AnswerService } from '../services/answer.ts';
import { ComposeService } from '../services/compose.ts';
import { EvidenceService } from '../services/evidence.ts';
import { PackAgain } from '../services/pack-again.ts';
import { Writing } from '../services/writing.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { BeliefService } from '../services/belief.ts';
import type { ConceptService } from '../services/concept.ts';
import type { FactService } from '../services/fact.ts';
import type { EpisodeService } from '../services/episode.ts';
import type { EventService } from '../services/event.ts';
import { IndexedHead } from '../services/indexed-head.ts';
import { FactHydrator } from '../services/fact-hydrator.ts';
import type { Services } from '../services/operations.ts';
import { RecallLayers } from '../services/recall-layers.ts';
import { PostFilteredHits } from '../services/recall-post-filter.ts';
import { NewestEvents } from '../services/recall-newest.ts';
import { RecallPacks } from '../services/recall-packs.ts';
import { RecallSearching } from '../services/recall-search.ts';
import { UnindexedTurns } from '../services/recall-unindexed.ts';
import { RecallVectors } from '../services/recall-vectors.ts';
import { EntityFactLookup } from '../services/recall-stated.ts';
import { RecallService } from '../services/recall.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { Gate } from './gate.ts';
import type { Models } from './models.ts';
import type { EmbeddingWords } from './embeddings.ts';
import { RecallSayings } from '../services/recall-said.ts';
import { createTenantVocabularies } from './vocabulary.ts';

/** What recall is made of. */
type RecallRoom = Gate &
  Base &
  Pick<Ledger, 'places' | 'head' | 'passages' | 'events'> & {
    readonly database: Database;
    readonly packs: RecallPacks;
  };

/** The readings that a recall brings records by. */
interface Readings {
  readonly event: EventService;
  readonly fact: FactService;
  readonly belief: BeliefService;
  readonly episode: EpisodeService;
  readonly concept: ConceptService;
}

/** Keeps what recalls bring. */
export function createPacks(database: Database, { clock, log }: Base): RecallPacks {
  return new RecallPacks({ store: new PackStore(database), clock, log });
}

/** Builds what brings memory back by relevance, and what writes from it. */
export function createRecall(
  parts: RecallRoom & Vectors,
  readings: Readings,
): Pick<Services, 'recall' | 'answer' | 'compose'> {
  const { access, packs, clock, models } = parts;
  const recall = createRecalling(parts, readings);
  const again = new PackAgain({ packs, readings });
  const { answer, verifier, usage } = models;
  const writing = new Writing({ answer, verifier, usage });
  const evidence = new EvidenceService({ access, recall, packs, again, writing });
  return {
    recall,
    answer: new AnswerService({ evidence, writing, clock }),
    compose: new ComposeService({ evidence, writing, clock }),
  };
}

/** What a search by vectors is made of. */
interface Vectors {
  readonly models: Models;
  readonly pipeline: Pipeline;
  readonly serverVersion: string;
  readonly words: EmbeddingWords;
}

function createVectors({
  models,
  pipeline,
  serverVersion,
  database,
  log,
}: RecallRoom & Vectors): RecallVectors | undefined {
  const { embedder, usage } = models;
  if (embedder === undefined) return undefined;
  const reader = new VectorReader(database, serverVersion);
  const model = (): PinnedModel | null | undefined => pipeline.embedding?.searchable;
  return new RecallVectors({ embedder, reader, usage, log, model });
}

function createUnindexed({ database, head, passages, events, log, clock }: RecallRoom): UnindexedTurns {
  const reader = new UnindexedReader(database);
  const firstUnindexed = (settled: number): Promise<number | null> => reader.first(settled);
  const refreshed = (): Promise<void> => passages.refreshed();
  return new UnindexedTurns({
    reader,
    events,
    head: new IndexedHead({ head, firstUnindexed, refreshed, log, clock }),
  });
}

function createRecalling(parts: RecallRoom & Vectors, readings: Readings): RecallService {
  const { selection, database, places, packs, ids, keyedIds, clock } = parts;
  const stated = {
    reader: new StatedReader(database, places),
    links: new EntityLinkReader(database),
    facts: new FactHydrator(new FactReader(database)),
    ambiguous: createAmbiguousNames(database),
  };
  const phrases = new TemporalPhraseReader(database);
  const reader = new RecallReader(database);
  return new RecallService({
    selection,
    searching: new RecallSearching(reader, createUnindexed(parts), createVectors(parts)),
    newest: new NewestEvents(readings.event, reader),
    asked: new PostFilteredHits(readings.event),
    stated: new EntityFactLookup(stated),
    layers: new RecallLayers(readings, new DerivedReader(database), keyedIds),
    sayings: new RecallSayings(new FactSaidReader(database), readings.event),
    packs,
    wordsOnly: () => parts.words.because() !== null,
    vocabularies: createTenantVocabularies(database),
    phrases: (tenant) => phrases.all(tenant, MAX_TEMPORAL_PHRASES),
    ids,
    clock,
  });
}
