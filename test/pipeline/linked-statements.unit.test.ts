import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { Statement } from '../../src/derive/claim/statement.ts';
import type { Cardinality } from '../../schemas/scope-policy.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { Facts } from '../../src/derive/claim/conclusion.ts';
import { rangesOf } from '../../src/derive/claim/history.ts';
import { consolidated } from '../../src/derive/claim/consolidate.ts';
import { EntityLinks, linkDecision, type EntityLink } from '../../src/derive/entity-links.ts';
import { grouped } from '../../src/derive/grouped.ts';
import { claimAbout, statementId } from '../../src/derive/statement.ts';
import { withoutForgotten } from '../../src/pipeline/forgotten-statements.ts';
import { idsByLinks, linkedStatements } from '../../src/pipeline/linked-statements.ts';
import { inputOf } from '../../src/pipeline/stored-claims.ts';
import { isVisible } from '../../src/time/bitemporal-range.ts';
import { valueAt } from '../derive/oracle.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

// What is derived by links answers, at every pair of instants, what the log says when it is read anew at that recorded instant: each
// statement about what its entities go by then.

const RUNS = inDepth(80, 1000);
const STEP = 10;
const SCOPE = 'ref';

const entity = fc.constantFrom('a', 'b', 'c', 'd');
const stated = fc.record({
  do: fc.constant('say' as const),
  subject: entity,
  object: entity,
  cardinality: fc.constantFrom('one', 'many', 'exclusive'),
  kind: fc.constantFrom('asserted', 'asserted', 'asserted', 'denied', 'never'),
  from: fc.integer({ min: 0, max: 5 }).map((n) => n * STEP),
  length: fc.option(fc.integer({ min: 0, max: 3 }).map((n) => n * STEP)),
});
const step = fc.record({
  /** Milliseconds of recorded time after the step before; 0: at the same instant. */
  pause: fc.constantFrom(0, STEP, STEP),
  what: fc.oneof(
    { weight: 5, arbitrary: stated },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('link' as const), entity, same_as: entity }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('unlink' as const), which: fc.nat(4) }) },
  ),
});
const histories = fc.array(step, { maxLength: 12 });
type Saying = ReturnType<typeof stated.generate>['value'];

interface Log {
  readonly statements: readonly NewStatement[];
  readonly links: readonly EntityLink[];
  readonly instants: readonly number[];
}

/** The log that steps leave, in which links are let in by the rule of the service. */
function logOf(steps: readonly ReturnType<typeof step.generate>['value'][]): Log {
  const statements: NewStatement[] = [];
  let links: EntityLink[] = [];
  const instants: number[] = [];
  let now = 1000;
  for (const [i, { pause, what }] of steps.entries()) {
    now += pause;
    instants.push(now);
    const place = { after_offset: statements.length, number: i + 1, recorded_at: now };
    if (what.do === 'say') statements.push(statementOf(what, statements.length + 1, now));
    else if (what.do === 'link') {
      const link = {
        ...place,
        ...what,
        id: `link${i}`,
        scope: 's',
        scope_ref: SCOPE,
        actor: 'x',
        ended: null,
      };
      if (linkDecision(links, link) === null) links.push(link);
    } else {
      const standing = links.filter(({ ended }) => ended === null);
      const gone = standing[what.which % Math.max(1, standing.length)];
      links = links.map((link) =>
        link === gone ? { ...link, ended: { ...place, id: `entry${i}`, actor: 'x' } } : link,
      );
    }
  }
  return { statements, links, instants };
}

function statementOf(
  { subject, object, cardinality, kind, from, length }: Saying,
  position: number,
  now: number,
): NewStatement {
  const event_id = `e${position}`;
  const term = { type: 'entity' as const, id: object };
  const about = claimAbout(
    SCOPE,
    { subject: { type: 'entity', id: subject }, predicate: 'p', object: term },
    cardinality,
  );
  const named = (id: string) => ({ id, name: id, normalised_name: id, type: 'other' });
  return {
    ...about,
    id: statementId(about.claim, about.value, event_id),
    event_id,
    tenant: 't',
    scope: 's',
    scope_ref: SCOPE,
    shard: 0,
    cardinality,
    position,
    recorded_at: now,
    kind,
    valid_from: from,
    valid_to: length === null || kind !== 'asserted' ? OPEN_END : from + length,
    has_explicit_valid_from: true,
    confidence: 1,
    extractor: 'triple',
    span: null,
    subject: named(subject),
    predicate: 'p',
    object: JSON.stringify(term),
    object_entity: named(object),
    premises: [],
    continuation_of: null,
    retracted: false,
  };
}

/** Every claim that is derived, with its facts. */
function derived({ statements, links }: Log): Map<string, Facts> {
  const all = linkedStatements(statements, new EntityLinks(links));
  const claims = grouped(all, ({ claim }) => claim);
  return new Map(
    [...claims].map(([claim, fresh]) => {
      const stored = { claim, statements: [], rows: [] };
      const input = inputOf(stored, { fresh, premises: new Map(), changed: true });
      return [claim, consolidated(input, () => new Map()).after.facts];
    }),
  );
}

/** What an entity goes by at an instant, link by link. */
function goesBy(id: string, links: readonly EntityLink[], at: number): string {
  const link = links.find(
    (one) => one.entity === id && one.recorded_at <= at && (one.ended === null || one.ended.recorded_at > at),
  );
  return link === undefined ? id : goesBy(link.same_as, links, at);
}

/** What each claim says at a recorded instant, out of what the entities of all statements go by then. */
function replayed({ statements, links }: Log, recorded: number): Map<string, Statement[]> {
  const known = statements.filter(({ recorded_at }) => recorded_at <= recorded);
  const about = known.map((one) => {
    const subject = { type: 'entity' as const, id: goesBy(one.subject.id, links, recorded) };
    const object = { type: 'entity' as const, id: goesBy(one.object_entity?.id ?? '', links, recorded) };
    const stated = claimAbout(SCOPE, { subject, predicate: 'p', object }, one.cardinality as Cardinality);
    const { event_id: id, position, recorded_at, kind, valid_from: from, valid_to: to } = one;
    return { ...stated, id, event_id: id, position, recorded_at, kind, valid: { from, to }, confidence: 1 };
  });
  return grouped(about, ({ claim }) => claim);
}

function visible(facts: Facts | undefined, valid: number, recorded: number): string {
  return [...(facts?.values() ?? [])]
    .filter((fact) => rangesOf(fact).some((range) => isVisible(range, { valid, recorded })))
    .map(({ value }) => value)
    .join();
}

const around = (instants: readonly number[]): number[] => [
  ...new Set(instants.flatMap((at) => [at - 1, at, at + 1])),
];

describe('statements of linked entities', () => {
  it('answer at every pair of instants what the log says by the links of then', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const log = logOf(steps);
        const claims = derived(log);
        const valids = around([
          0,
          ...log.statements.flatMap((one) => [one.valid_from, Math.min(one.valid_to, 1e6)]),
        ]);
        const wrong = around(log.instants).flatMap((recorded) => {
          const stated = replayed(log, recorded);
          return [...new Set([...claims.keys(), ...stated.keys()])].flatMap((claim) =>
            valids.flatMap((valid) => {
              const expected = valueAt(stated.get(claim) ?? [], valid, recorded) ?? '';
              const seen = visible(claims.get(claim), valid, recorded);
              return seen === expected ? [] : [{ claim, valid, recorded, seen, expected }];
            }),
          );
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('are as if they had not been said once they are forgotten, under whichever id they had by then', () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat(), fc.nat(), (steps, which, when, under) => {
        const log = logOf(steps);
        const one = log.statements[which % Math.max(1, log.statements.length)];
        if (one === undefined) return;
        const entries = log.links.flatMap(({ number, ended }) => [number, ended?.number ?? number]);
        const through = [0, ...entries][when % (entries.length + 1)] ?? 0;
        const isKnown = ({ number, after_offset }: { number: number; after_offset: number }): boolean =>
          number <= through || after_offset < one.position;
        const known = log.links
          .filter(isKnown)
          .map((link) => (link.ended === null || isKnown(link.ended) ? link : { ...link, ended: null }));
        const ids = linkedStatements([one], new EntityLinks(known)).map(({ id }) => id);
        const wish = { layer: 'facts' as const, ids: [ids[under % ids.length] ?? ''] };
        const links = new EntityLinks(log.links);
        const left = withoutForgotten(log.statements, new Map([[one.event_id, [wish]]]), (statement) =>
          idsByLinks(statement, links),
        );
        const others = log.statements.filter(({ event_id }) => event_id !== one.event_id);
        expect(left).toEqual(others);
      }),
      { numRuns: RUNS },
    );
  });

  it('are what they are where nothing of theirs was linked', () => {
    const { statements } = logOf(fc.sample(step, { numRuns: 50, seed: 1 }));
    const link = {
      entity: 'y',
      same_as: 'z',
      id: 'link',
      scope: 's',
      scope_ref: SCOPE,
      actor: 'x',
      ended: null,
    };
    const links = new EntityLinks([{ ...link, after_offset: 0, number: 1, recorded_at: 1 }]);
    expect(statements.length).toBeGreaterThan(0);
    expect(linkedStatements(statements, links)).toBe(statements);
  });

  it('keep the id under which they were known before a link, even one of the same instant', () => {
    const one = statementOf(
      { do: 'say', subject: 'a', object: 'b', cardinality: 'one', kind: 'asserted', from: 0, length: null },
      1,
      1000,
    );
    const link = {
      entity: 'a',
      same_as: 'c',
      id: 'link',
      scope: 's',
      scope_ref: SCOPE,
      actor: 'x',
      ended: null,
    };
    const links = new EntityLinks([{ ...link, after_offset: 1, number: 1, recorded_at: 1000 }]);
    const ids = linkedStatements([one], links).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(ids).toContain(one.id);
  });
});

describe('a chain of links', () => {
  const at = (number: number) => ({ after_offset: number, number, recorded_at: number * STEP });
  const link = (number: number, from: string, to: string): EntityLink => ({
    ...at(number),
    id: `link${number}`,
    scope: 's',
    scope_ref: SCOPE,
    actor: 'x',
    entity: from,
    same_as: to,
    ended: null,
  });
  const links = new EntityLinks([
    link(1, 'a', 'b'),
    { ...link(2, 'b', 'c'), ended: { ...at(4), id: 'entry4', actor: 'x' } },
    link(3, 'd', 'b'),
  ]);

  it('is gone to its end, as of each instant', () => {
    expect([9, 10, 20, 40].map((now) => links.canonicalAt(SCOPE, 'a', now))).toEqual(['a', 'b', 'c', 'b']);
    expect(links.aliasesAt(SCOPE, 'c', 30)).toEqual(['a', 'b', 'd']);
    expect(links.linksAt(SCOPE, 'c', 30).map(({ id }) => id)).toEqual(['link1', 'link2', 'link3']);
    expect(links.aliasesAt(SCOPE, 'b', 40)).toEqual(['a', 'd']);
  });

  it('tells which entities an entry is about', () => {
    expect(links.leadingTo(SCOPE, 'b')).toEqual(['a', 'b', 'd']);
    expect(links.leadingTo(SCOPE, 'a')).toEqual(['a']);
  });
});
