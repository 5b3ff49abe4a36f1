import { KeyedIds } from '../../src/derive/keyed-ids.ts';

/** Ids of derived records by a secret that all tests share, where no store has one of its own. */
export const KEYED_IDS = new KeyedIds('secret of tests');
