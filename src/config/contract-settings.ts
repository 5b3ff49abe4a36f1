import { list, toggle } from './kinds.ts';
import { setting } from './setting.ts';

const ABSOLUTE_PATH = /^\/[^\0]*$/;

/** Settings of the contract that this release has no use for: they are accepted, and refuse the start or change nothing. */
export const CONTRACT_SETTINGS = {
  'cluster.mode': setting(toggle(), {
    env: 'STRATA_CLUSTER_MODE',
    fallback: false,
    description:
      'There is no cluster of services to set up: any number of processes work on one database. True, like any other variable `STRATA_CLUSTER…`, refuses the start with `CLUSTER_MODE_UNSUPPORTED`.',
  }),
  'code.plane': setting(toggle(), {
    env: 'STRATA_CODE_PLANE',
    fallback: false,
    description:
      'The operations under `/v1/code`. They are not part of this release and answer 503 `CODE_PLANE_DISABLED`; true refuses the start.',
  }),
  'code.repo_roots': setting(list(ABSOLUTE_PATH, 'absolute paths'), {
    env: 'STRATA_CODE_REPO_ROOTS',
    fallback: [],
    description:
      'Directories that the code plane may take repositories from. Without effect as long as there is none, as the log says at the start.',
  }),
  'upgrade.v1_layers_incremental': setting(toggle(), {
    env: 'STRATA_V1_LAYERS_INCREMENTAL',
    fallback: true,
    description:
      'Without effect, as the log says at the start where it is false: layers are always derived incrementally.',
  }),
  'upgrade.extraction_cache_purge': setting(toggle(), {
    env: 'STRATA_EXTRACTION_CACHE_PURGE',
    fallback: false,
    description:
      'Without effect, as the log says at the start where it is true: there is no cache of extractions. What a model answered is part of the log, and goes with its event.',
  }),
} as const;
