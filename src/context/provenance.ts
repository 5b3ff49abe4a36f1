import { BeliefReader } from '../../graph/belief/read.ts';
import { ConceptReader } from '../../graph/concept/read.ts';
import type { Database } from '../../graph/driver.ts';
import { EpisodeReader } from '../../graph/episode/read.ts';
import type { EventReader } from '../../graph/event.ts';
import { FactReader } from '../../graph/fact/read.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import { ProvenanceReader } from '../../graph/provenance.ts';
import { SupersessionReader } from '../../graph/supersession.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { ProvenanceWalk } from '../services/provenance-walk.ts';
import { RecordLinkReading } from '../services/record-links.ts';
import { RecordNodes } from '../services/record-nodes.ts';
import type { Gate } from './gate.ts';

/** What goes from records to others. */
export interface Provenance {
  readonly nodes: RecordNodes;
  readonly links: RecordLinkReading;
  readonly walk: ProvenanceWalk;
  /** Goes to what may be exported alone. */
  readonly exportWalk: ProvenanceWalk;
}

/** Builds what goes from records to others. */
export function createProvenance({
  access,
  database,
  events,
  places,
  keyedIds,
}: Pick<Gate, 'access'> & {
  readonly database: Database;
  readonly events: EventReader;
  readonly places: LogOffsets;
  readonly keyedIds: KeyedIds;
}): Provenance {
  const nodes = new RecordNodes({
    beliefs: new BeliefReader(database),
    concepts: new ConceptReader(database),
    episodes: new EpisodeReader(database, places),
    events,
    facts: new FactReader(database),
  });
  const reading = {
    access,
    provenance: new ProvenanceReader(database),
    supersession: new SupersessionReader(database),
    keyedIds,
  };
  const links = new RecordLinkReading(reading);
  const exported = new RecordLinkReading({ ...reading, also: 'export' });
  return {
    nodes,
    links,
    walk: new ProvenanceWalk({ links, nodes }),
    exportWalk: new ProvenanceWalk({ links: exported, nodes }),
  };
}
