import type { ScopedKind, RecordScopeReader, StoredPlace } from '../../graph/record-place.ts';
import type { Capability } from '../../schemas/policy.ts';
import { levelPaths } from '../../schemas/scope.ts';
import { passesRosters, tenantOfReads } from '../access/principal.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { levelRefs } from '../capture/scope-key.ts';
import type { AccessService, Call } from './access.ts';
import { rulesOf } from './scope-directory.ts';

/** Ids of records of one kind, and what reading them asks for. */
export interface GateQuestion {
  readonly kind: ScopedKind;
  readonly ids: readonly string[];
  /** The tenant to look in, null for any; default: the one in which the caller's reads by id look. */
  readonly tenant?: string | null;
  /** Default `scope.read.local`. */
  readonly capability?: Capability;
  /** What it asks for beside that; default nothing. */
  readonly also?: Capability;
}

/** What lies in a scope. */
export interface ScopedRecord {
  readonly tenant: string;
  readonly scope: string;
}

/** The same, or what lies in none: that is decided on as what concerns no scope in particular. */
interface MaybeScoped extends Omit<ScopedRecord, 'scope'> {
  readonly scope: string | null;
}

/** A scope as it is known before anything that it holds is read. */
export interface KnownScope {
  readonly place: ScopeWithRules;
  /** False where there is none. To a caller whom no roster binds only the reading tells. */
  readonly there: boolean;
}

/**
 * Decides on records by their ids before anything of their content is read: a record that the caller may not read costs what one costs
 * that is not there, however large it is. Place and rules come together, so that a permitted read takes no further round trip.
 */
export class RecordGate {
  readonly #access: AccessService;
  readonly #places: RecordScopeReader;

  constructor(access: AccessService, places: RecordScopeReader) {
    this.#access = access;
    this.#places = places;
  }

  /** The places of those records that the caller may read, by id, by the rules as they are now: one round trip, none for no id. */
  async admitted(call: Call, question: GateQuestion): Promise<Map<string, ScopedRecord>> {
    const { kind, ids, capability = 'scope.read.local', also } = question;
    if (ids.length === 0) return new Map();
    const { actor } = call.principal;
    const wanted = [capability, ...(also === undefined ? [] : [also])];
    const places = await this.#places.of(kind, ids, { tenant: tenantOf(call, question), actor });
    const allowed = places.filter((stored) => {
      const place = stored.scope === '' ? null : placeOf(stored);
      return wanted.every((one) => this.#access.decideAt(call.principal, one, place).outcome === 'allowed');
    });
    return new Map(allowed.map(({ id, tenant, scope }) => [id, { tenant, scope }]));
  }

  /**
   * What `read` brings of the records that the caller may read; it is handed their ids, and is not called for none. For a caller whom no
   * roster binds it is handed all of them, and is decided on by what is remembered: two round trips, or one.
   */
  async read<Row extends MaybeScoped>(
    call: Call,
    question: GateQuestion,
    read: (ids: readonly string[], tenant: string | null) => Promise<Iterable<Row>>,
  ): Promise<Row[]> {
    const tenant = tenantOf(call, question);
    if (!passesRosters(call.principal)) {
      const admitted = await this.admitted(call, question);
      return admitted.size === 0 ? [] : [...(await read([...admitted.keys()], tenant))];
    }
    const rows = question.ids.length === 0 ? [] : [...(await read(question.ids, tenant))];
    const { capability, also } = question;
    const mayRead = await this.#access.readableNow(call, rows.flatMap(namesOf), capability, also);
    return rows.filter((row) => namesOf(row).every(mayRead));
  }

  /**
   * A scope of the caller's tenant by its path, with what its rules say of him: one round trip, of the same steps whether there is one;
   * for a caller whom no roster binds what is remembered.
   */
  async scope(call: Call, path: string): Promise<KnownScope> {
    const { tenant, actor } = call.principal;
    if (!passesRosters(call.principal)) {
      const { there, rules } = await this.#places.ofScope(levelRefs(tenant, path), actor);
      return { place: placeOf({ scope: path, rules }), there };
    }
    const [place] = await this.#access.placesOf(call, [path]);
    if (place === undefined) throw new Error('a scope without a place');
    return { place, there: true };
  }
}

function namesOf({ tenant, scope }: MaybeScoped): { tenant: string; path: string }[] {
  return scope === null ? [] : [{ tenant, path: scope }];
}

function tenantOf({ principal }: Call, { tenant }: GateQuestion): string | null {
  return tenant === undefined ? tenantOfReads(principal) : tenant;
}

function placeOf({ scope, rules }: Pick<StoredPlace, 'scope' | 'rules'>): ScopeWithRules {
  const byPath = new Map(rules.map(({ path, ...stored }) => [path, rulesOf(stored)]));
  return { path: scope, levels: levelPaths(scope).map((path) => byPath.get(path) ?? null) };
}
