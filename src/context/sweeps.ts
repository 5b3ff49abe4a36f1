import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { Manifests } from '../../graph/erasure/manifest.ts';
import { ForgetPreviews } from '../../graph/forget/preview.ts';
import { PackStore } from '../../graph/pack.ts';
import { RevocationStore } from '../../graph/token.ts';
import { PACK_TTL_MS } from '../limits/recall.ts';
import { ExpirySweep } from '../services/expiry-sweep.ts';
import type { Revocations } from '../tokens/revocations.ts';

/** Time between looks for revocations of tokens that could not be good any more, milliseconds. */
const REVOCATION_SWEEP_EVERY_MS = 3_600_000;

/** Revocations removed in one transaction at most: keeps it short beside the captures. */
const REVOCATION_SWEEP_BATCH = 500;

/** Packs removed in one transaction at most: some megabytes, and short beside the captures. */
const PACK_SWEEP_BATCH = 100;

/** Time between looks for previews of forgetting that are over, milliseconds: what was asked for stays hardly longer than it can be used. */
const PREVIEW_SWEEP_EVERY_MS = 60_000;

/** Nodes of previews removed in one transaction at most: each holds a thousand ids. */
const PREVIEW_SWEEP_BATCH = 100;

/** Starts the sweeps of what is over: revocations that could not matter any more, packs, in which what was forgotten must not live on, previews, and manifests of erasures. */
export function startSweeps(
  database: Database,
  { jobs, clock, revocations }: Pick<Base, 'jobs' | 'clock'> & { readonly revocations: Revocations },
): ExpirySweep[] {
  const [revoked, packs] = [new RevocationStore(database), new PackStore(database)];
  const [previews, manifests] = [new ForgetPreviews(database), new Manifests(database)];
  const sweeps = [
    new ExpirySweep({
      what: 'revocations',
      remove: (now, limit) => {
        revocations.forget(now);
        return revoked.sweep(now, limit);
      },
      ...{ batch: REVOCATION_SWEEP_BATCH, every_ms: REVOCATION_SWEEP_EVERY_MS, clock },
    }),
    new ExpirySweep({
      what: 'packs',
      remove: (now, limit) => packs.sweep(now, limit),
      ...{ batch: PACK_SWEEP_BATCH, every_ms: PACK_TTL_MS, clock },
    }),
    new ExpirySweep({
      what: 'previews',
      remove: (now, limit) => previews.sweep(now, limit),
      ...{ batch: PREVIEW_SWEEP_BATCH, every_ms: PREVIEW_SWEEP_EVERY_MS, clock },
    }),
    new ExpirySweep({
      what: 'manifests',
      remove: (now, limit) => manifests.sweep(now, limit),
      ...{ batch: PREVIEW_SWEEP_BATCH, every_ms: PREVIEW_SWEEP_EVERY_MS, clock },
    }),
  ];
  for (const sweep of sweeps) sweep.start(jobs);
  return sweeps;
}
