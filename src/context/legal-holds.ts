import type { Base } from './base.ts';
import { DeferralRelease } from '../../graph/deferral.ts';
import type { Database } from '../../graph/driver.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import { LegalHoldReader } from '../../graph/legal-hold/read.ts';
import { LegalHoldStore } from '../../graph/legal-hold/write.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { LegalHoldService } from '../services/legal-hold.ts';
import { LegalHolds } from '../services/legal-holds.ts';
import type { PredicateSpellings } from '../services/predicate-spellings.ts';
import { ScopeSettling } from '../services/scope-settling.ts';
import type { Audit } from './audit.ts';
import type { Gate } from './gate.ts';
import type { Ledger } from './ledger.ts';
import { createSpellings } from './vocabulary.ts';

/** What says whether events may go. */
export interface HoldWork {
  readonly settling: ScopeSettling;
  readonly predicates: PredicateSpellings;
  readonly holdReader: LegalHoldReader;
  readonly holds: LegalHolds;
}

/** Builds what asks legal holds. */
export function createHoldWork(
  database: Database,
  parts: Pick<Ledger, 'derivation' | 'head'> & Pick<Gate, 'access'> & Base & { readonly pipeline: Pipeline },
): HoldWork {
  const { derivation, head, clock, config, keyedIds, pipeline } = parts;
  const settling = new ScopeSettling({
    derivation,
    deferrals: new DeferralRelease(database),
    clock,
    budgetMs: config.capture.waitBudgetMs,
    onReleased: () => {
      pipeline.deferralsEnded();
    },
  });
  const predicates = createSpellings(database, parts);
  const holdReader = new LegalHoldReader(database);
  const records = new ForgetReader(database, keyedIds);
  const holds = new LegalHolds({ reader: holdReader, records, predicates, settling, head });
  return { settling, predicates, holdReader, holds };
}

/** Builds the service of legal holds. */
export function createLegalHolds(
  parts: Pick<Gate, 'access' | 'gate'> &
    Pick<Audit, 'changes'> &
    Base &
    HoldWork & { readonly database: Database },
): LegalHoldService {
  const { access, gate, holdReader, database, changes, clock, config } = parts;
  return new LegalHoldService({
    access,
    gate,
    reader: holdReader,
    store: new LegalHoldStore(database),
    changes,
    clock,
    leaseWaitMs: config.forget.leaseWaitMs,
  });
}
