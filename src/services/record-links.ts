import type { ProvenanceReader, StoredLink } from '../../graph/provenance.ts';
import type { SupersessionReader } from '../../graph/supersession.ts';
import type { Capability } from '../../schemas/policy.ts';
import type { Direction, ProvenanceRelation } from '../../schemas/provenance.ts';
import { tenantOfReads } from '../access/principal.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { capabilityOf, linksOf, byLayer, type FoundLink, type LinkedRow } from '../derive/provenance.ts';
import type { AccessService, Call, ReadRequest } from './access.ts';

/** What the reading needs. */
export interface RecordLinksParts {
  readonly access: AccessService;
  readonly provenance: ProvenanceReader;
  readonly supersession: SupersessionReader;
  readonly keyedIds: KeyedIds;
  /** What the scope of a record at the other end takes beside reading; default nothing. */
  readonly also?: Capability;
}

/** Which links of records are read, and when. */
export interface LinkQuestion {
  readonly direction: Direction;
  readonly relation: ProvenanceRelation;
  /** Null for any. */
  readonly valid: number | null;
  readonly recorded: number;
  /** The valid instant of what has to be read at one, where none is named. */
  readonly now: number;
  /** Links of one relation of a record that are told of, at most. */
  readonly most: number;
}

/** The links of records, and the records that have more of them. */
export interface RecordLinks {
  readonly links: ReadonlyMap<string, readonly FoundLink[]>;
  readonly more: ReadonlySet<string>;
}

/** Reads what records have to do with others, as far as the caller may read those. */
export class RecordLinkReading {
  private readonly parts: RecordLinksParts;

  constructor(parts: RecordLinksParts) {
    this.parts = parts;
  }

  /**
   * One step from each of the records: one round trip for each direction, side by side, and one to ask what may be read, for no link as
   * for many. Links to what may not be read are left out without a trace.
   */
  async read(call: Call, ids: readonly string[], question: LinkQuestion): Promise<RecordLinks> {
    const tenant = tenantOfReads(call.principal);
    const { direction, most } = question;
    const reach = { ...question, most: most + 1 };
    const { older, newer } = this.readers(question);
    const of = byLayer(ids);
    const [down, up] = await Promise.all([
      direction === 'up' ? [] : older(of, tenant, reach),
      direction === 'down' ? [] : newer(of, tenant, reach),
    ]);
    const { keyedIds } = this.parts;
    const rows = [
      ...down.map((row) => rowOf(row, 'down', keyedIds)),
      ...up.map((row) => rowOf(row, 'up', keyedIds)),
    ];
    const placeOf = (row: (typeof rows)[number]): ReadRequest => ({
      tenant: row.tenant,
      path: row.path,
      capability: capabilityOf(row.other),
    });
    const mayRead = await this.parts.access.readableNow(call, rows.map(placeOf), undefined, this.parts.also);
    return linksOf(
      rows.filter((row) => mayRead(placeOf(row))),
      most,
    );
  }

  private readers({ relation }: LinkQuestion): {
    readonly older: SupersessionReader['older'];
    readonly newer: SupersessionReader['newer'];
  } {
    const { provenance, supersession } = this.parts;
    return relation === 'derivation'
      ? {
          older: (...request) => provenance.down(...request),
          newer: (...request) => provenance.up(...request),
        }
      : {
          older: (...request) => supersession.older(...request),
          newer: (...request) => supersession.newer(...request),
        };
  }
}

function rowOf(
  { belief, other, scope: path, ...row }: StoredLink,
  way: 'down' | 'up',
  ids: KeyedIds,
): LinkedRow & { readonly tenant: string; readonly path: string } {
  const id = belief === null ? other : ids.belief(belief.scope_ref, belief.claim, belief.value);
  if (id === null) throw new Error('a link to nothing');
  return { ...row, path, other: id, way };
}
