import type { ScopeSelection } from '../scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { StoredBeliefItem } from '../../src/derive/belief/item.ts';
import type { Instants } from '../../src/time/bitemporal-range.ts';
import { BELIEF_SHOWN } from './read.ts';
import { BELIEF, beliefAt, beliefOf, type BeliefAnswer } from './row.ts';
import type { Reader } from '../driver.ts';
import { placesOf, type EntityKey } from '../fact/walk.ts';
import type { LogOffsets } from '../log-offset.ts';
import { isBare, newestOf, scopeOf, subtreeWalks, type BareParams, type WalkedRow } from '../record-walk.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { instant, type Instant } from '../instant.ts';
import { int, real, statement, type Params, type Real, type Statement } from '../statement.ts';

/** Which beliefs a walk is to show. */
export interface BeliefFilter {
  readonly at: Instants;
  /** Null for any. */
  readonly stance: string | null;
  /** 0 to 1; null for any. */
  readonly min_confidence: number | null;
}

/** One row of a walk: a belief that is wanted, or the place of one that is not, or of any. */
export interface WalkedBelief extends WalkedRow {
  readonly belief: StoredBeliefItem | null;
}

/** The same as it is answered. */
type WalkRow = Omit<WalkedBelief, 'belief'> & { readonly belief: BeliefAnswer | null };

interface ShownParams extends Params {
  valid: Instant;
  recorded: Instant;
  stance: string | null;
  min_confidence: Real | null;
  inline: Integer;
  walk: Integer;
}

interface WalkParams extends ShownParams, BareParams {
  before: Integer;
  scan: Integer;
}

const WANTED = `x IS NOT NULL AND ($stance IS NULL OR x.stance = $stance) AND ($min_confidence IS NULL OR x.confidence >= $min_confidence)`;
/** Goes on from the beliefs `b` of a walk, of which those are not looked at for which `within` is not so. */
const walked = (
  within?: string,
): string => `${beliefAt(`NOT $bare${within === undefined ? '' : ` AND ${within}`}`)}
   RETURN b.position AS position, b.id AS id, ${scopeOf('b', within)}, CASE WHEN ${WANTED} THEN ${BELIEF} END AS belief`;

const scanScopes = statement<WalkParams & { refs: readonly string[] }, WalkRow>(
  'belief.scan_scopes',
  'index belief_place, walked in order once per scope; indexes of belief_revision',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, position) WHERE b.scope_ref = ref AND b.position <= $before
     WITH b ORDER BY b.scope_ref DESC, b.position DESC LIMIT $scan
     RETURN b
   }
   WITH b ORDER BY b.position DESC LIMIT $scan
   ${walked()}`,
);

const ANCESTORS =
  'b.a0, b.a1, b.a2, b.a3, b.a4, b.a5, b.a6, b.a7, b.a8, b.a9, b.a10, b.a11, b.a12, b.a13, b.a14, b.a15, b.a16, b.a17, b.a18, b.a19, b.a20, b.a21, b.a22, b.a23, b.a24, b.a25, b.a26, b.a27, b.a28, b.a29, b.a30, b.a31';

/** One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes. */
const scanSubtree: readonly Statement<WalkParams & { ref: string; within: string | null }, WalkRow>[] =
  Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    statement(
      `belief.scan_subtree_a${level}`,
      `index belief_a${level}, walked in order; indexes of belief_revision`,
      `MATCH (b:Belief) USING INDEX SEEK b:Belief(a${level}, position) WHERE b.a${level} = $ref AND b.position <= $before
       WITH b ORDER BY b.a${level} DESC, b.position DESC LIMIT $scan
       ${walked(`($within IS NULL OR $within IN [${ANCESTORS}])`)}`,
    ),
  );

const scanAbout = statement<WalkParams & { places: readonly EntityKey[] }, WalkRow>(
  'belief.scan_about',
  'indexes belief_subject and belief_object, walked in order once per scope and entity; indexes of belief_revision',
  `UNWIND $places AS place
   CALL (place) {
     MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, subject_id, position)
     WHERE b.scope_ref = place.ref AND b.subject_id = place.id AND b.position <= $before
     WITH b ORDER BY b.scope_ref DESC, b.subject_id DESC, b.position DESC LIMIT $scan
     RETURN b
     UNION
     MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, object_id, position)
     WHERE b.scope_ref = place.ref AND b.object_id = place.id AND b.position <= $before
     WITH b ORDER BY b.scope_ref DESC, b.object_id DESC, b.position DESC LIMIT $scan
     RETURN b
   }
   WITH DISTINCT b
   WITH b ORDER BY b.position DESC LIMIT $scan
   ${walked()}`,
);

const scanSubtreeAbout = statement<
  WalkParams & { tenant: string; ids: readonly string[]; within: string },
  WalkRow
>(
  'belief.scan_subtree_about',
  'indexes belief_tenant_subject and belief_tenant_object, walked in order once per entity; indexes of belief_revision',
  `UNWIND $ids AS entity
   CALL (entity) {
     MATCH (b:Belief) USING INDEX SEEK b:Belief(tenant, subject_id, position)
     WHERE b.tenant = $tenant AND b.subject_id = entity AND b.position <= $before
     WITH b ORDER BY b.tenant DESC, b.subject_id DESC, b.position DESC LIMIT $scan
     RETURN b
     UNION
     MATCH (b:Belief) USING INDEX SEEK b:Belief(tenant, object_id, position)
     WHERE b.tenant = $tenant AND b.object_id = entity AND b.position <= $before
     WITH b ORDER BY b.tenant DESC, b.object_id DESC, b.position DESC LIMIT $scan
     RETURN b
   }
   WITH DISTINCT b
   WITH b ORDER BY b.position DESC LIMIT $scan
   ${walked(`$within IN [${ANCESTORS}]`)}`,
);

const ofIds = statement<ShownParams & { ids: readonly string[] }, { belief: BeliefAnswer }>(
  'belief.walked',
  'constraint belief_id; indexes of belief_revision',
  `UNWIND $ids AS id
   MATCH (b:Belief {id: id})
   ${beliefAt()}
   WITH b, x WHERE ${WANTED}
   RETURN ${BELIEF} AS belief`,
);

/** Walks beliefs from a position (inclusive) towards older ones; every scope that it is handed was authorised before. */
export class BeliefWalker {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /**
   * At most `scan` rows of a selection, newest first; with `about`, of the beliefs about these entities; places alone of
   * what may partly not be read. Fewer mean the end.
   */
  async scan(
    {
      selection,
      tenant,
      about,
    }: { selection: ScopeSelection; tenant: string; about: readonly string[] | null },
    filter: BeliefFilter,
    before: number,
    scan: number,
  ): Promise<WalkedBelief[]> {
    const bound = await this.log.bound(before, filter.at.recorded);
    const params = { ...shownBy(filter), before: int(bound), scan: int(scan), ...isBare(selection) };
    const walks =
      about === null
        ? this.walksOf(selection, params)
        : this.walksAbout({ selection, tenant, about }, params);
    const rows = newestOf(await Promise.all(walks), scan);
    return rows.map(({ belief, ...row }) => ({ ...row, belief: belief === null ? null : beliefOf(belief) }));
  }

  /** Those beliefs of a walk over places that are wanted, by id. */
  async walked(ids: readonly string[], filter: BeliefFilter): Promise<Map<string, StoredBeliefItem>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(ofIds, { ...shownBy(filter), ids });
    return new Map(rows.map(({ belief }) => [belief.id, beliefOf(belief)]));
  }

  private walksOf({ scopes, subtrees }: ScopeSelection, params: WalkParams): Promise<WalkRow[]>[] {
    const walks = scopes.length === 0 ? [] : [this.reader.read(scanScopes, { ...params, refs: scopes })];
    walks.push(...subtreeWalks(this.reader, scanSubtree, params, subtrees));
    return walks;
  }

  private walksAbout(
    { selection, tenant, about }: { selection: ScopeSelection; tenant: string; about: readonly string[] },
    params: WalkParams,
  ): Promise<WalkRow[]>[] {
    const places = placesOf(selection, about);
    const walks = places.length === 0 ? [] : [this.reader.read(scanAbout, { ...params, places })];
    for (const { ref } of about.length === 0 ? [] : selection.subtrees)
      walks.push(this.reader.read(scanSubtreeAbout, { ...params, tenant, ids: about, within: ref }));
    return walks;
  }
}

function shownBy({ at, stance, min_confidence }: BeliefFilter): ShownParams {
  return {
    ...BELIEF_SHOWN,
    valid: instant(at.valid),
    recorded: instant(at.recorded),
    stance,
    min_confidence: min_confidence === null ? null : real(min_confidence),
  };
}
