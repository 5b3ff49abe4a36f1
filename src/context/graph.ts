import { BeliefReader } from '../../graph/belief/read.ts';
import { BeliefWalker } from '../../graph/belief/walk.ts';
import { ConceptReader } from '../../graph/concept/read.ts';
import { ConceptWalker } from '../../graph/concept/walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityLinkReader } from '../../graph/entity/link.ts';
import { EntityReader } from '../../graph/entity/read.ts';
import { EpisodeReader } from '../../graph/episode/read.ts';
import type { EventReader } from '../../graph/event.ts';
import { ClaimReader } from '../../graph/fact/claim.ts';
import { ExportUses } from '../../graph/export-use.ts';
import { FactReader } from '../../graph/fact/read.ts';
import { FactWalker } from '../../graph/fact/walk.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import { RecordEdgeReader } from '../../graph/record-edge.ts';
import type { ShardReader } from '../../graph/shard.ts';
import { BeliefListing } from '../services/belief-listing.ts';
import { WholeBeliefs } from '../services/belief-whole.ts';
import { ConceptListing } from '../services/concept-listing.ts';
import { EventListing } from '../services/event-listing.ts';
import { FactHydrator } from '../services/fact-hydrator.ts';
import { FactListing } from '../services/fact-listing.ts';
import type { CallerWatch } from '../services/caller-watch.ts';
import type { FrameSource } from '../services/graph-changes.ts';
import { GraphEdges } from '../services/graph-edges.ts';
import { GraphExportService } from '../services/graph-export.ts';
import type { GraphLayers } from '../services/graph-walk.ts';
import { GraphService } from '../services/graph.ts';
import { NamedEntities } from '../services/named-entities.ts';
import { ProvenanceExport } from '../services/provenance-export.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { Base } from './base.ts';
import type { Gate } from './gate.ts';
import type { Provenance } from './provenance.ts';
import { createSpellings } from './vocabulary.ts';

/** What the service is built from. */
type GraphServiceParts = Gate &
  Base & {
    readonly database: Database;
    readonly places: LogOffsets;
    readonly events: EventReader;
    readonly head: VisibleHighWatermark;
    readonly frameHead: VisibleHighWatermark;
    readonly lifecycle: FrameSource;
    readonly callers: Pick<CallerWatch, 'watch'>;
    readonly shards: ShardReader;
    readonly provenance: Provenance;
  };

/** Builds the services of the graph of a scope, over the listings of the layers. */
export function createGraph(parts: GraphServiceParts): {
  graph: GraphService;
  graphExport: GraphExportService;
} {
  const { access, gate, selection, database, places, shards, clock } = parts;
  const { frameHead, lifecycle, callers } = parts;
  const { nodes, exportWalk } = parts.provenance;
  const entities = new EntityReader(database, places);
  const links = new EntityLinkReader(database);
  const named = new NamedEntities({
    entities,
    links,
    ambiguous: createAmbiguousNames(database),
    declared: true,
  });
  const layers = createLayers(parts, named);
  const reading = { access, entities, nodes, edges: new RecordEdgeReader(database) };
  const newest = async (): Promise<number> => (await shards.head()).recorded_at;
  const facts = new FactReader(database);
  const provenance = new ProvenanceExport({ gate, nodes, facts, walk: exportWalk, clock, head: newest });
  const edges = new GraphEdges(reading);
  return {
    graph: new GraphService({ gate, selection, layers, named, nodes, edges, lifecycle, frameHead, clock }),
    graphExport: new GraphExportService({
      ...{ access, selection, layers, named, facts, clock, provenance, callers },
      edges: new GraphEdges({ ...reading, also: 'export' }),
      head: newest,
      uses: new ExportUses(database),
      folder: parts.config.dataDir,
    }),
  };
}

/** Builds the listings of the layers. */
function createLayers(parts: GraphServiceParts, named: NamedEntities): GraphLayers {
  const { access, database, places, events, head, keyedIds } = parts;
  return {
    facts: new FactListing({
      walker: new FactWalker(database, places),
      claims: new ClaimReader(database),
      named,
      facts: new FactHydrator(new FactReader(database)),
      predicates: createSpellings(database, parts),
    }),
    beliefs: new BeliefListing({
      walker: new BeliefWalker(database, places),
      named,
      beliefs: new WholeBeliefs(new BeliefReader(database)),
    }),
    concepts: new ConceptListing({
      access,
      walker: new ConceptWalker(database, places),
      reader: new ConceptReader(database),
      named,
      keyedIds,
    }),
    episodes: new EpisodeReader(database, places),
    events: new EventListing(events, head),
  };
}
