import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { PackStore } from '../../graph/pack.ts';
import { RevocationStore } from '../../graph/token.ts';
import { REVOCATION_SWEEP_BATCH, REVOCATION_SWEEP_EVERY_MS } from '../limits.ts';
import { PACK_SWEEP_BATCH, PACK_TTL_MS } from '../limits/recall.ts';
import { ExpirySweep } from '../services/expiry-sweep.ts';
import type { Revocations } from '../tokens/revocations.ts';

/** Starts the sweeps of what is over: revocations that could not matter any more, and packs, in which what was forgotten must not live on. */
export function startSweeps(
  database: Database,
  { log, clock, revocations }: Pick<Base, 'log' | 'clock'> & { readonly revocations: Revocations },
): ExpirySweep[] {
  const [revoked, packs] = [new RevocationStore(database), new PackStore(database)];
  const sweeps = [
    new ExpirySweep({
      what: 'revocations',
      remove: (now, limit) => {
        revocations.forget(now);
        return revoked.sweep(now, limit);
      },
      ...{ batch: REVOCATION_SWEEP_BATCH, every_ms: REVOCATION_SWEEP_EVERY_MS, clock, log },
    }),
    new ExpirySweep({
      what: 'packs',
      remove: (now, limit) => packs.sweep(now, limit),
      ...{ batch: PACK_SWEEP_BATCH, every_ms: PACK_TTL_MS, clock, log },
    }),
  ];
  for (const sweep of sweeps) sweep.start();
  return sweeps;
}
