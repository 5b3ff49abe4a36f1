import type { ConceptReader } from '../../graph/concept/read.ts';
import type { ConceptItem, ConceptRelatedQuery, RelatedConcept } from '../../schemas/concept.ts';
import { weighedEdges, type StoredConcept } from '../derive/concept/item.ts';
import { StrataError } from '../errors.ts';
import { MAX_SKIPPED_ITEMS } from '../limits.ts';

/** Walks from a concept along its edges, as they were understood at a recorded instant; all of them lie in its scope. */
export class RelatedReading {
  private readonly reader: ConceptReader;

  constructor(reader: ConceptReader) {
    this.reader = reader;
  }

  /** A page of the related concepts, nearest first, then weightiest first. One round trip for each step. */
  async page(
    start: StoredConcept,
    recorded: number,
    query: ConceptRelatedQuery,
  ): Promise<{ items: RelatedConcept[]; has_more: boolean; next_cursor?: string }> {
    const skip = skippedBy(query.cursor);
    const most = skip + query.limit;
    const { items, truncated } = await this.from(start, recorded, { ...query, limit: most });
    const page = { items: items.slice(skip), has_more: truncated };
    return truncated ? { ...page, next_cursor: String(most) } : page;
  }

  private async from(
    start: StoredConcept,
    recorded: number,
    { relation, depth, limit }: Pick<ConceptRelatedQuery, 'relation' | 'depth' | 'limit'>,
  ): Promise<{ items: RelatedConcept[]; truncated: boolean }> {
    const met = new Set([start.id]);
    const items: RelatedConcept[] = [];
    let frontier: readonly StoredConcept[] = [start];
    for (let step = 1; step <= depth && frontier.length > 0; step += 1) {
      const next = leadingOut(frontier, relation, met);
      const wanted = next.slice(0, limit - items.length);
      const found = await this.reader.byIds(
        wanted.map(({ to }) => to),
        start.tenant,
        recorded,
      );
      const reached = wanted.flatMap((edge) => {
        const concept = found.get(edge.to);
        return concept === undefined ? [] : [{ edge, concept }];
      });
      for (const { edge, concept } of reached) {
        const { name, summary } = concept.version;
        const { from, relation: by, weight } = edge;
        items.push({ id: concept.id, name, summary, relation: by, weight, depth: step, from });
      }
      if (wanted.length < next.length) return { items, truncated: true };
      for (const { to } of wanted) met.add(to);
      frontier = reached.map(({ concept }) => concept);
    }
    return { items, truncated: false };
  }
}

/** How many a cursor passes over. Throws `INVALID_QUERY`. */
function skippedBy(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor) && Number(cursor) <= MAX_SKIPPED_ITEMS) return Number(cursor);
  const reason = 'is not a cursor of related concepts';
  throw new StrataError('INVALID_QUERY', `cursor: ${reason}`, { details: { field_path: 'cursor', reason } });
}

/** The weightiest edge to each concept that was not met yet. */
function leadingOut(
  frontier: readonly StoredConcept[],
  relation: ConceptRelatedQuery['relation'],
  met: ReadonlySet<string>,
): (ConceptItem['edges'][number] & { readonly from: string })[] {
  const edges = frontier
    .flatMap((concept) => weighedEdges(concept).map((edge) => ({ ...edge, from: concept.id })))
    .filter(({ to, relation: by }) => !met.has(to) && (relation === undefined || by === relation))
    .sort((a, b) => b.weight - a.weight || (`${a.to} ${a.relation}` < `${b.to} ${b.relation}` ? -1 : 1));
  return [...new Map(edges.reverse().map((edge) => [edge.to, edge])).values()].reverse();
}
