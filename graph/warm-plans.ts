import { planAudit } from './audit.ts';
import { BeliefReader } from './belief/read.ts';
import { planCapture } from './capture.ts';
import { ConceptReader } from './concept/read.ts';
import { planConsolidation } from './consolidation.ts';
import { DerivedReader } from './derived.ts';
import type { Reader, Writer } from './driver.ts';
import type { VectorReader } from './embedding/search.ts';
import { EpisodeReader } from './episode/read.ts';
import { EventReader } from './event.ts';
import { FactReader } from './fact/read.ts';
import { LogOffsets } from './log-offset.ts';
import { planPassageRemoval } from './passage/removal.ts';
import { planRebuild } from './rebuild.ts';
import { RecallReader } from './recall.ts';
import { StatedReader } from './recall-stated.ts';
import { UnindexedReader } from './recall-unindexed.ts';
import { StageStore } from './stage.ts';

/**
 * Has the server plan the statements of the write path before they are needed: on a cold server that takes seconds, which
 * the first caller would wait. They are run on nothing and change nothing. Once `signal` has fired no further statement is
 * sent. Errors are the driver's own.
 */
export async function warmPlans(writer: Writer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await planCapture(writer);
  const isWanted = (): boolean => !signal.aborted;
  const whileWanted: Writer = {
    read: (statement, params) => writer.read(statement, params),
    write: (statement, params, extraMs) =>
      isWanted() ? writer.write(statement, params, extraMs) : Promise.resolve([]),
    writeRepeatable: (statement, params) => writer.writeRepeatable(statement, params),
    transaction: (work, extraMs) => writer.transaction(work, extraMs),
  };
  await new StageStore(whileWanted, '').plan();
  if (isWanted()) await planPassageRemoval(writer);
  await planConsolidation(whileWanted, isWanted);
  await planAudit(whileWanted);
  if (isWanted()) await planRebuild(whileWanted);
}

/** What no record is called. */
const NONE = ['none'];
const NO_WORD = [new Map([['none', 1]])];

/** Subtrees of that name at the levels that most scopes have. */
const SUBTREES = Array.from({ length: 3 }, (_, level) => ({
  ref: 'none',
  level,
  levels: Array.from({ length: level + 1 }, () => 'none'),
}));

/**
 * The same of what a recall reads: a dozen statements, for which its first caller would wait, and where there are vectors those that
 * search them. They look for nothing and find it.
 */
export async function planRecall(reader: Reader, signal: AbortSignal, vectors?: VectorReader): Promise<void> {
  const places = new LogOffsets(reader);
  const selection = { scopes: NONE, subtrees: [] };
  const search = { tenant: '', selection, at: { valid: null, recorded: 0 } };
  const anything = { filter: null, observed: null, recorded: null, refers: false, past: false };
  const words = new RecallReader(reader);
  const unindexed = new UnindexedReader(reader);
  const stated = new StatedReader(reader, places);
  const at = { valid: 0, recorded: 0 };
  const steps: readonly (() => Promise<unknown>)[] = [
    () => words.turns(NO_WORD, { ...search, ...anything }, 1),
    () => words.sessions(NO_WORD, { ...search, ...anything }, 1),
    () => words.turns(NO_WORD, { ...search, ...anything, past: true }, 1),
    () => words.sessions(NO_WORD, { ...search, ...anything, past: true }, 1),
    () =>
      unindexed.beyond(
        0,
        { ...search, ...anything, selection: { scopes: NONE, subtrees: SUBTREES } },
        { refreshedMs: 0 },
      ),
    () => unindexed.first(0),
    () => stated.named(NONE, '', selection, { near: NONE, scan: 0, most: 1, recorded: 0 }),
    () => stated.about([[{ ref: '', id: '' }]], { at, any_time: false }, { scan: 1, most: 1 }),
    () => new EventReader(reader, places).byIds(NONE, '', at),
    () => new DerivedReader(reader).idsOf(NONE, '', 0),
    () => new FactReader(reader).byIds(NONE, '', { ...at, shown: 0 }),
    () => new BeliefReader(reader).byIds(NONE, '', { ...at, ahead: false }),
    () => new EpisodeReader(reader, places).byIds(NONE, '', at),
    () => new ConceptReader(reader).byIds(NONE, '', 0),
    async () => vectors?.plan({ ...search, ...anything }, () => !signal.aborted),
  ];
  for (const step of steps) if (!signal.aborted) await step();
}
