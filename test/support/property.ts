import fc from 'fast-check';

import { SEED } from './depth.ts';

// All properties draw from one seed, so that a run says the same again; the place to import fast-check from.
// The reason of a failure is printed with its counterexample.
fc.configureGlobal({ seed: SEED, includeErrorInReport: true });

export default fc;
