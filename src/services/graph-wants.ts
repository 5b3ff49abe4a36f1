import type { LayerRecord } from '../derive/layer-record.ts';
import { nodeOf } from '../derive/provenance.ts';
import { isAbout as isBeliefAbout } from './belief-listing.ts';
import { isOf } from './fact-listing.ts';
import type { AskedEntity } from './named-entities.ts';

/** What the records of the pages have to be: about an entity, and holding a text, whatever its case; null for any. */
export function wantsOf(
  about: AskedEntity | null,
  q: string | undefined,
): ((read: LayerRecord) => boolean) | null {
  if (about === null && q === undefined) return null;
  const text = q?.toLowerCase() ?? '';
  return (read) => isAbout(read, about) && nodeOf(read).summary.toLowerCase().includes(text);
}

function isAbout(read: LayerRecord, about: AskedEntity | null): boolean {
  if (about === null) return true;
  switch (read.type) {
    case 'fact':
      return isOf(read.record, about);
    case 'belief':
      return isBeliefAbout(read.record, about);
    case 'concept':
      return about.wants(read.record.scope, read.record.entity_id);
    case 'event':
    case 'episode':
      return false;
  }
}
