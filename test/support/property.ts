import fc from 'fast-check';

import { SEED } from './depth.ts';

// All properties draw from one seed, so that a run says the same again; the place to import fast-check from.
fc.configureGlobal({ seed: SEED });

export default fc;
