import { MAX_EXTRACTED_STATEMENTS } from '../../src/pipeline/extraction-outcome.ts';
import type { Transaction } from '../../graph/driver.ts';
import { entityIdOf } from '../../src/derive/entity.ts';
import type { KnownForm } from '../../src/derive/known-names.ts';
import { rulesAt } from '../../src/derive/policy-log.ts';
import { MAX_AMBIGUOUS_IDS } from '../../src/limits.ts';
import {
  namedStatements,
  type RuledStating,
  MAX_AMBIGUOUS_NAMES,
} from '../../src/pipeline/resolved-names.ts';

/** An event in which a model found as much as it may, each time of two others. */
function talkative(): RuledStating {
  const called = (name: string): object => ({ type: 'entity', id: entityIdOf(name), name });
  const statements = Array.from({ length: MAX_EXTRACTED_STATEMENTS }, (_, i) => ({
    triple: { subject: called(`Ann ${i}`), predicate: 'knows', object: called(`Bo ${i}`) },
    span: null,
    cardinality: null,
    subject_type: 'person',
    object_type: 'person',
  }));
  const event = {
    event_id: 'evt_1',
    tenant: 't',
    scope: 'user:a',
    scope_ref: 'ref',
    shard: 0,
    wal_offset: 1_000_000,
    content_kind: 'text',
    envelope: '{"scope":"user:a","content":{"kind":"text","text":"x"}}',
    retry_id: null,
  };
  const state = {
    recorded_at: 1,
    observed_at: 1,
    excluded: false,
    linked: false,
    resolved: null,
    ambiguous: null,
    wishes: [],
  };
  const [rules] = rulesAt([{ levels: ['ref'], vocabularies: 'none', position: 1, recorded_at: 0 }], {
    ...{ policies: [], vocabularies: [], tenants: [] },
  });
  return { event, state, extraction: { extractor: 'm', statements }, rules } as unknown as RuledStating;
}

/** Knows as many entities of each name as count, each with a name before and one behind it. */
function knowing(sent: unknown[]): Transaction {
  const formsOf = (name: string): KnownForm[] =>
    Array.from({ length: MAX_AMBIGUOUS_IDS }, (_, i) =>
      ['before', name, 'behind'].map((normalised_name, k) => ({
        scope_ref: 'ref',
        id: `ent_${name}_${i}`,
        normalised_name,
        given: true,
        position: 3 * i + k,
        recorded_at: 1,
      })),
    ).flat();
  const run = (_statement: unknown, { sought = [] }: { sought?: { normalised_name: string }[] }) =>
    Promise.resolve(sought.flatMap(({ normalised_name }) => formsOf(normalised_name)));
  const send = (_statement: unknown, { rows }: { rows: unknown[] }): void => void sent.push(...rows);
  return { run, send } as unknown as Transaction;
}

describe('what the names of an event stand for', () => {
  it('is looked up while others have their turn, and kept within bounds', async () => {
    let turns = 0;
    let ticking = true;
    const tick = (): void => {
      turns += 1;
      if (ticking) setImmediate(tick);
    };
    setImmediate(tick);
    const sent: { resolved: string; ambiguous: string }[] = [];
    const { statements, ambiguous } = await namedStatements(knowing(sent), [talkative()]);
    ticking = false;
    expect(statements).toHaveLength(MAX_EXTRACTED_STATEMENTS);
    // Some fifty thousand forms are learned and a thousand names resolved, for far longer than one turn.
    expect(turns).toBeGreaterThan(2);
    expect(ambiguous.get('evt_1')).toHaveLength(MAX_AMBIGUOUS_NAMES);
    const [kept] = sent;
    expect(Object.values(JSON.parse(kept?.resolved ?? '{}') as object)).toHaveLength(
      2 * MAX_EXTRACTED_STATEMENTS,
    );
    expect(JSON.parse(kept?.ambiguous ?? '[]')).toEqual(ambiguous.get('evt_1'));
  });
});
