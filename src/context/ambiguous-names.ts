import type { Reader } from '../../graph/driver.ts';
import { EntityLinkReader } from '../../graph/entity/link.ts';
import { NameReader } from '../../graph/known-name.ts';
import { AmbiguousNames } from '../services/ambiguous-names.ts';

/** Builds what tells which names stand for one of several entities. */
export function createAmbiguousNames(database: Reader): AmbiguousNames {
  return new AmbiguousNames({ names: new NameReader(database), links: new EntityLinkReader(database) });
}
