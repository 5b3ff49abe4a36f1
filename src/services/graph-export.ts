import type { ExportUses } from '../../graph/export-use.ts';
import {
  EXPORT_FORMATS,
  graphExportQuery,
  provenanceExportQuery,
  type ExportFormat,
  type GraphExportQuery,
} from '../../schemas/graph-export.ts';
import type { View } from '../../schemas/scope.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { GraphAbout } from '../graph-export/graph.ts';
import { INTERVALS_FORMAT, REPEATING_FORMAT, writeGraph } from '../graph-export/write.ts';
import { namedInstants, readingAt } from '../time/as-of.ts';
import type { AccessService, Call } from './access.ts';
import type { CallerWatch } from './caller-watch.ts';
import type { IntervalReader } from './export-intervals.ts';
import { ExportRights } from './export-rights.ts';
import { ExportSource, type HeldGraph } from './export-source.ts';
import { ExportNotes, ExportSlots } from './export-uses.ts';
import type { GraphEdges, GraphInstants } from './graph-edges.ts';
import type { GraphNeighboursParts } from './graph-neighbours.ts';
import { typesOf, walkedOf, type GraphPart } from './graph-part.ts';
import { graphWalk, wantedOf } from './graph-walk.ts';
import { wantsOf } from './graph-wants.ts';
import type { ExportedFile } from './operations.ts';
import type { ProvenanceExport } from './provenance-export.ts';
import { parseQuery } from './query-input.ts';

/** What the service needs. */
export interface GraphExportParts extends Pick<
  GraphNeighboursParts,
  'selection' | 'layers' | 'named' | 'clock'
> {
  readonly access: Pick<AccessService, 'noteRead'>;
  /** Edges to what may be exported. */
  readonly edges: GraphEdges;
  readonly facts: IntervalReader;
  readonly provenance: ProvenanceExport;
  /** The instant of the newest entry of the log, epoch milliseconds. */
  readonly head: () => Promise<number>;
  /** Where it is kept who was handed what. */
  readonly uses: ExportUses;
  /** Folder for what does not fit into memory. */
  readonly folder: string;
  /** Tells when the token of a caller ends. */
  readonly callers: Pick<CallerWatch, 'watch'>;
}

/** Exports graphs in the formats of other tools, as streams. */
export class GraphExportService {
  private readonly parts: GraphExportParts;
  private readonly rights: ExportRights;
  private readonly slots = new ExportSlots();

  constructor(parts: GraphExportParts) {
    this.parts = parts;
    this.rights = new ExportRights(parts);
  }

  /**
   * The whole graph of a selection, as known at one recorded instant: without one in the query, the present. Throws `INVALID_QUERY`,
   * `POLICY_DENIED`; its pieces `SERVER_BUSY` before the first one where too many are under way.
   */
  async graph(call: Call, query: unknown): Promise<ExportedFile> {
    const parsed = parseQuery(graphExportQuery, query);
    const at = await this.instantsOf(parsed);
    const { layers, edges, facts, folder } = this.parts;
    const { view, selection, audit } = await this.parts.selection.choose(call, parsed.scope, parsed.view, {
      also: 'export',
    });
    call.request?.concerns(audit);
    const asked = parsed.entity === undefined ? [] : [parsed.entity];
    const [about = null] = await this.parts.named.of(call, selection, asked, at.recorded);
    const chosen = { ...parsed, view };
    const part: GraphPart = { selection, types: typesOf(chosen), wants: wantsOf(about, parsed.q), at };
    const walked = { types: walkedOf(part.types, about !== null), about, at };
    const walk = wantedOf(graphWalk(layers, call, selection, walked), part.wants);
    const { format } = parsed;
    const notes = new ExportNotes(this.parts, call);
    const source = async (): Promise<ExportSource> => {
      await notes.note(selection.paths);
      const { mayGoOn, end } = this.rights.watch(call, chosen, selection);
      return new ExportSource({
        ...{ call, walk, edges, part, folder, mayGoOn, end },
        facts: format === INTERVALS_FORMAT ? facts : null,
        onElsewhere: (scopes) => notes.note(scopes),
        again: format === REPEATING_FORMAT,
        about: aboutOf(chosen, at, selection.withheld),
      });
    };
    return { ...fileOf(format, parsed.scope), pieces: this.piecesOf(call, format, source) };
  }

  /**
   * The graph around one record. Throws `NOT_FOUND`, `INVALID_QUERY`; its pieces `INVALID_QUERY` (422) for a graph that Mermaid does not
   * draw, and `SERVER_BUSY`, before the first one.
   */
  async provenance(call: Call, id: string, query: unknown): Promise<ExportedFile> {
    const { format, ...reach } = parseQuery(provenanceExportQuery, query);
    this.slots.requireRoom(call.principal.tenant);
    const graph = await this.parts.provenance.graph(call, id, reach);
    await this.parts.access.noteRead(call, [...graph.scopes]);
    const source = async (): Promise<HeldGraph> => {
      await new ExportNotes(this.parts, call).note(graph.scopes);
      return graph;
    };
    return { ...fileOf(format, id), pieces: this.piecesOf(call, format, source) };
  }

  /** The instants of a graph: both are fixed, so that whatever is written meanwhile is not in it. */
  private async instantsOf(query: GraphExportQuery): Promise<GraphInstants> {
    const named = namedInstants(query);
    const now = this.parts.clock.now();
    // Another process may have a faster clock.
    const recorded = named.recorded ?? Math.max(now, await this.parts.head());
    return { ...readingAt({ ...named, recorded }, now), anyTime: query.include_superseded === true };
  }

  private async *piecesOf(
    call: Call,
    format: ExportFormat,
    source: () => Promise<ExportSource | HeldGraph>,
  ): AsyncGenerator<string> {
    const giveBack = this.slots.take(call.principal.tenant);
    try {
      const graph = await source();
      try {
        yield* writeGraph(format, graph);
      } finally {
        await graph.close();
      }
    } finally {
      giveBack();
    }
  }
}

/** A query whose view is chosen. */
type Viewed<Query extends { readonly view?: View | undefined }> = Omit<Query, 'view'> & {
  readonly view: View;
};

function fileOf(format: ExportFormat, of: string): Omit<ExportedFile, 'pieces'> {
  const { mediaType, extension } = EXPORT_FORMATS[format];
  const name = of.replaceAll(/[^\w.-]+/gu, '-').slice(0, 100);
  return { mediaType, fileName: `${name}.${extension}` };
}

function aboutOf(query: Viewed<GraphExportQuery>, at: GraphInstants, withheld: number): GraphAbout {
  const { scope, view, types, entity, q } = query;
  return {
    scope,
    view,
    ...(types === undefined ? {} : { types: types.join(',') }),
    ...(entity === undefined ? {} : { entity }),
    ...(q === undefined ? {} : { q }),
    include_superseded: at.anyTime,
    as_of_valid: toRfc3339(at.valid),
    as_of_recorded: toRfc3339(at.recorded),
    withheld_scopes: withheld,
  };
}
