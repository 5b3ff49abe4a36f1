import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { ExtractionStore } from '../../graph/extraction.ts';
import { UsageStore } from '../../graph/usage.ts';
import type { AdminReady } from '../../schemas/health.ts';
import { createEmbedder } from '../models/embedder.ts';
import type { Embedder, EmbeddingConfig } from '../models/embedding.ts';
import type { CallSiteConfig } from '../models/call-site-config.ts';
import { ModelCallSite } from '../models/call-site.ts';
import type { AnswerCallSite } from '../services/writing.ts';
import type { EnrichmentParts } from '../pipeline/enrichment.ts';
import { ExtractionCalls } from '../pipeline/extraction-calls.ts';
import { Extraction } from '../pipeline/extraction.ts';
import { UsageLedger } from '../pipeline/usage-ledger.ts';
import { callSiteCheck } from './call-site-check.ts';

/** Texts of one call of the local model, which does them one by one. */
const EMBEDDING_LOCAL_BATCH = 64;

/** What the log says of what is sent to a model. */
const SENT: Partial<Record<CallSiteConfig['role'], string>> = {
  extraction: 'text is sent to a model, which extracts from it',
  enrichment: 'text is sent to a model, which extracts from it',
  answer: 'what is recalled for a question is sent to a model, which answers from it',
  verifier: 'answers and what they cite are sent to a model, which checks them',
};

type Check = AdminReady['checks'][string];

/** The call sites of models, as far as something uses them. */
export interface Models {
  readonly usage: UsageLedger;
  readonly extractions: ExtractionStore;
  /** Undefined when extraction is off. */
  readonly extraction: Extraction | undefined;
  /** Undefined when enrichment is off. */
  readonly enrichment: EnrichmentCallSite | undefined;
  /** What answers questions and writes documents. */
  readonly answer: AnswerCallSite;
  /** Undefined when answers are not checked. */
  readonly verifier: ModelCallSite | undefined;
  /** What makes vectors; undefined when nothing does. */
  readonly embedder: Embedder | undefined;
  /** How each call site is now, for the readiness. */
  readonly checks: () => Record<string, Check>;
  /** Looks once whether every call site that is on is there. Never throws. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
}

/** What enrichment asks, and when. */
export type EnrichmentCallSite = Pick<
  EnrichmentParts,
  'calls' | 'delayMs' | 'drainMs' | 'batchEvents' | 'scopes' | 'retryMs' | 'resting'
>;

/** Builds what calls models. Says in the log which model events are sent to. */
export function createModels(work: Database, { config, clock, log, metrics }: Base): Models {
  const { models } = config;
  const usage = new UsageLedger({ store: new UsageStore(work), clock, log });
  const extractions = new ExtractionStore(work);
  const laneOf = (lane: CallSiteConfig): ModelCallSite | undefined =>
    lane.on ? new ModelCallSite({ lane, clock, log, metrics }) : undefined;
  const lane = laneOf(models.extraction);
  const enricher = laneOf(models.enrichment);
  const answer = laneOf(models.answer);
  const verifier = laneOf(models.verifier);
  logDestinations({ config, log });
  const embedder = createEmbedder(config.embedding, { clock, log, metrics });
  const { batchEvents, extractionCalls, retryMs } = models;
  const extraction =
    lane &&
    new Extraction({
      calls: new ExtractionCalls({ lane, usage, batchEvents, calls: extractionCalls }),
      store: extractions,
      clock,
      log,
      metrics,
      mostEvents: batchEvents * extractionCalls,
      retryMs,
      resting: () => lane.restMs > 0,
    });
  return {
    usage,
    extractions,
    extraction,
    enrichment: enricher && {
      calls: new ExtractionCalls({ lane: enricher, usage, batchEvents, calls: extractionCalls }),
      delayMs: models.enrichmentDelayMs,
      drainMs: models.enrichmentDrainMs,
      batchEvents,
      scopes: extractionCalls,
      retryMs,
      resting: () => enricher.restMs > 0,
    },
    answer:
      models.answer.on && answer ? { on: true, lane: answer } : { on: false, fix: fixOf(models.answer) },
    verifier,
    embedder,
    probe: async (signal) => {
      const sites = [lane, enricher, answer, verifier, embedder].filter((site) => site !== undefined);
      await Promise.all(sites.map((site) => site.probe(signal)));
    },
    checks: () => ({
      extraction: callSiteCheck(models.extraction, lane, HELD),
      enrichment: callSiteCheck(models.enrichment, enricher, HELD),
      answer: callSiteCheck(models.answer, answer, 'Answers fail with ANSWER_PROVIDER_ERROR meanwhile'),
      verifier: callSiteCheck(models.verifier, verifier, 'Citations of answers are not checked meanwhile'),
    }),
  };
}

/** Says in the log which model gets what is sent. */
function logDestinations({ config: { models, embedding }, log }: Pick<Base, 'config' | 'log'>): void {
  for (const site of [models.extraction, models.enrichment, models.answer, models.verifier]) {
    if (!site.on) continue;
    const [{ provider, model, url }] = site.endpoints;
    log.info(SENT[site.role] ?? 'text is sent to a model', { role: site.role, provider, model, url });
  }
  if (embedding.provider !== 'endpoint') return;
  const { model, url } = embedding;
  log.info('text is sent to a model, which makes vectors of it', { role: 'embedding', model, url });
}

const HELD = 'Events are held and extracted from when it answers again';

/** What would turn a lane on that is off. */
function fixOf(lane: CallSiteConfig): string {
  return lane.on ? '' : lane.fix;
}

/** Texts of one call for vectors. */
export function batchTextsOf(config: EmbeddingConfig): number {
  return config.provider === 'endpoint' ? config.batchTexts : EMBEDDING_LOCAL_BATCH;
}
