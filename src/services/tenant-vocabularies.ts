import { LRUCache } from 'lru-cache';

import type { HeldLayer, VocabularyReader } from '../../graph/vocabulary/read.ts';
import { MAX_VOCABULARIES } from '../../schemas/vocabulary-record.ts';
import type { Definition } from '../derive/vocabulary/definition.ts';
import { TenantVocabulary, type VocabularyLayer } from '../derive/vocabulary/tenant.ts';
import { VOCABULARIES_REMEMBERED } from '../limits/vocabulary.ts';

/** What the vocabularies of a tenant say now. */
export interface SaidNow {
  /** Of predicates; null for nothing. */
  readonly predicates: TenantVocabulary | null;
  /** Of terms, by vocabulary; empty for nothing. */
  readonly terms: readonly VocabularyLayer[];
  /** Paths of the scopes that they hold in, by their names; null: the whole tenant. */
  readonly scopes: ReadonlyMap<string, string | null>;
}

interface Remembered extends SaidNow {
  /** The state of each vocabulary, by its name. */
  readonly states: ReadonlyMap<string, State>;
}

interface State {
  readonly version: string;
  readonly levels: readonly string[] | null;
  readonly acts: readonly Definition[];
  readonly calls: readonly Definition[];
}

const NOTHING: Remembered = { predicates: null, terms: [], scopes: new Map(), states: new Map() };

/**
 * Knows what the vocabularies of tenants say now. Each look asks the database which states there are, so that every process goes by a
 * change at once, and reads those alone that it does not know.
 */
export class TenantVocabularies {
  private readonly reader: VocabularyReader;
  private readonly remembered = new LRUCache<string, Remembered>({ max: VOCABULARIES_REMEMBERED });

  constructor(reader: VocabularyReader) {
    this.reader = reader;
  }

  /** What those of a tenant say; one round trip. */
  async of(tenant: string): Promise<SaidNow> {
    const before = this.remembered.get(tenant) ?? NOTHING;
    const known = [...before.states.values()].map(({ version }) => version);
    const rows = await this.reader.inForce(tenant, known, MAX_VOCABULARIES);
    if (isSame(rows, before)) return before;
    const states = new Map(rows.map((row) => [row.name, stateOf(row, before)]));
    const layers = (of: 'acts' | 'calls'): VocabularyLayer[] =>
      [...states]
        .map(([name, state]) => ({ name, levels: state.levels, definitions: state[of] }))
        .filter(({ definitions }) => definitions.length > 0);
    const predicates = layers('acts');
    const said: Remembered = {
      predicates: predicates.length === 0 ? null : new TenantVocabulary(predicates),
      terms: layers('calls'),
      scopes: new Map(rows.map(({ name, scope }) => [name, scope])),
      states,
    };
    if (rows.length === 0) this.remembered.delete(tenant);
    else this.remembered.set(tenant, said);
    return said;
  }
}

function isSame(rows: readonly HeldLayer[], { states }: Remembered): boolean {
  return (
    rows.length === states.size && rows.every(({ name, version }) => states.get(name)?.version === version)
  );
}

function stateOf({ name, levels, version, acts, calls }: HeldLayer, { states }: Remembered): State {
  const known = states.get(name);
  if (known?.version === version) return known;
  if (acts === null || calls === null) throw new Error(`the vocabulary ${name} was not read`);
  return {
    version,
    levels,
    acts: JSON.parse(acts) as Definition[],
    calls: JSON.parse(calls) as Definition[],
  };
}
