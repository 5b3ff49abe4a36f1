import { stateTriple } from '../../src/derive/statement.ts';
import { denies, never, says, stances, supported, type Line } from './agm-world.ts';

// The postulates of Alchourrón, Gärdenfors and Makinson on what the service believes. The belief set K is what is supported at the
// newest instant; K*p states p, K-p denies it, K+p adds p where nothing speaks against it. A row says whether a postulate holds
// and, where it deliberately does not, why.

interface Row {
  readonly postulate: string;
  readonly scenario: string;
  readonly holds: () => boolean;
  /** Why it does not hold, on purpose; left out: it holds. */
  readonly notHeld?: string;
}

const home = says('home', 'paris');
const job = says('job', 'baker');
const K: readonly Line[] = [home, job, says('likes:tea', 'tea')];
const concluded = says('language', 'french', { premises: [{ claim: 'home', value: 'paris' }] });

const within = (part: readonly string[], all: readonly string[]) => part.every((one) => all.includes(one));
const equal = (a: readonly string[], b: readonly string[]) => within(a, b) && within(b, a);

/** What a statement comes to, apart from the event that says it. */
function meant(subject: string, predicate: string, datatype: string, value: string | number) {
  const event = { id: 'e', wal_offset: 1, recorded_at: 1, observed_at: 1, scope_ref: 'c1' };
  const object = { type: 'literal' as const, datatype, value };
  const entity = { type: 'literal' as const, datatype: 'string', value: subject };
  const { claim, statement } = stateTriple(event, { subject: entity, predicate, object }, () => 'one');
  return `${claim} ${statement.value}`;
}

const REVISION: readonly Row[] = [
  {
    postulate: 'closure',
    scenario: 'what follows from a premise is believed with it',
    holds: () => supported([...K, concluded]).includes('language=french'),
  },
  {
    postulate: 'success',
    scenario: 'a new value is believed from then on',
    holds: () => supported([...K, says('home', 'london')]).includes('home=london'),
  },
  {
    postulate: 'success',
    scenario: 'also against ten statements of the old value',
    holds: () =>
      supported([...Array.from({ length: 10 }, () => home), says('home', 'london')]).includes('home=london'),
  },
  {
    postulate: 'success',
    scenario: 'a statement whose source holds it for less likely than not',
    holds: () => supported([...K, says('home', 'london', { confidence: 0.4 })]).includes('home=london'),
    notHeld:
      'evidence counts by the confidence of its source: it ends the old value, but is not enough for a stance',
  },
  {
    postulate: 'success',
    scenario: 'a value of the past, learned late',
    holds: () => supported([...K, says('home', 'oslo', { from: -5 })]).includes('home=oslo'),
    notHeld: 'it is believed for its own time, not for now: time is part of what is said',
  },
  {
    postulate: 'success',
    scenario: 'a value of the past, at its own time',
    holds: () => supported([...K, says('home', 'oslo', { from: -5 })], -5).includes('home=oslo'),
  },
  {
    postulate: 'inclusion',
    scenario: 'nothing is believed beyond the old beliefs, the new one and what follows',
    holds: () =>
      within(supported([...K, says('home', 'london')]), [...supported(K), 'home=london']) &&
      within(supported([...K, says('pet', 'cat')]), [...supported(K), 'pet=cat']),
  },
  {
    postulate: 'vacuity',
    scenario: 'where nothing speaks against the new belief, all old ones stay',
    holds: () => within(supported([...K, concluded]), supported([...K, concluded, says('pet', 'cat')])),
  },
  {
    postulate: 'vacuity',
    scenario: 'a repetition of what is believed changes no belief',
    holds: () => equal(supported(K), supported([...K, home])),
  },
  {
    postulate: 'consistency',
    scenario: 'never two values of a single-valued claim at one instant',
    holds: () => {
      const lines = [home, says('home', 'london'), says('home', 'oslo', { from: 1 }), home];
      return [0, 1, 2, 3, 4, 5].every((at) => supported(lines, at).length <= 1);
    },
  },
  {
    postulate: 'consistency',
    scenario: 'two values stated in one commit for one time',
    holds: () => supported([home, says('home', 'london', { together: true })]).length === 1,
  },
  {
    postulate: 'extensionality',
    scenario: 'other names of a predicate, of a number, of an entity mean the same',
    holds: () =>
      meant('Ada', 'lives_in', 'number', 5) === meant('ada ', 'Resides in', 'integer', 5) &&
      meant('Ada', 'lives_in', 'string', '5') !== meant('Ada', 'lives_in', 'number', 5),
  },
  {
    postulate: 'superexpansion',
    scenario: 'two statements in one commit make no more than one after the other',
    holds: () =>
      within(
        supported([...K, says('home', 'london'), says('pet', 'cat', { together: true })]),
        supported([...K, says('home', 'london'), says('pet', 'cat')]),
      ),
  },
  {
    postulate: 'subexpansion',
    scenario: 'and no less, where the second does not contradict the first',
    holds: () =>
      within(
        supported([...K, says('home', 'london'), says('pet', 'cat')]),
        supported([...K, says('home', 'london'), says('pet', 'cat', { together: true })]),
      ),
  },
];

const CONTRACTION: readonly Row[] = [
  {
    postulate: 'closure',
    scenario: 'a conclusion goes with its premise',
    holds: () => !supported([...K, concluded, denies('home', 'paris')]).includes('language=french'),
  },
  {
    postulate: 'inclusion',
    scenario: 'a denial makes nothing believed',
    holds: () => within(supported([...K, denies('home', 'paris')]), supported(K)),
  },
  {
    postulate: 'inclusion',
    scenario: 'saying that a value never held which had displaced another one',
    holds: () => {
      const before = [home, says('home', 'london', { from: 1 })];
      return within(supported([...before, never('home', 'london')]), supported(before));
    },
    notHeld:
      'what only the denied value had displaced is believed again: a premise that returns brings back what rested on it',
  },
  {
    postulate: 'vacuity',
    scenario: 'denying what is not believed changes no belief',
    holds: () => equal(supported([...K, denies('home', 'rome')]), supported(K)),
  },
  {
    postulate: 'success',
    scenario: 'what is denied is not believed any more, however often it was stated',
    holds: () => {
      const after = [home, home, home, denies('home', 'paris')];
      return supported(after).length === 0 && stances(after).get('home=paris') === 'contradicted';
    },
  },
  {
    postulate: 'success',
    scenario: 'taking one of two statements of a value out of the log',
    holds: () => !supported([home]).includes('home=paris'),
    notHeld: 'that takes out a statement, not the belief: what another event still supports stays',
  },
  {
    postulate: 'recovery',
    scenario: 'what is denied and stated again brings back all that was believed',
    holds: () =>
      within(
        supported([...K, concluded]),
        supported([...K, concluded, denies('home', 'paris'), says('home', 'paris')]),
      ),
  },
  {
    postulate: 'extensionality',
    scenario: 'a denial in other words denies the same',
    holds: () => meant('Ada', 'works for', 'string', 'Acme') === meant('ADA', 'works_at', 'string', 'Acme'),
  },
  {
    postulate: 'conjunctive overlap and inclusion',
    scenario: 'denying "not both" of two statements',
    holds: () => supported([home, job, denies('home', 'paris'), denies('job', 'baker')]).length > 0,
    notHeld:
      'a statement denies one triple; that of two one is false, without saying which, cannot be stated',
  },
  {
    postulate: 'Levi identity',
    scenario: 'stating another value is denying the old one and adding the new',
    holds: () =>
      equal(
        supported([...K, concluded, says('home', 'london')]),
        supported([...K, concluded, denies('home', 'paris'), says('home', 'london')]),
      ),
  },
  {
    postulate: 'Harper identity',
    scenario: 'what a denial leaves is in what was believed and in what another value would leave',
    holds: () => {
      const revised = supported([...K, says('home', 'london')]);
      const left = supported([...K, denies('home', 'paris')]);
      return equal(
        left,
        supported(K).filter((one) => revised.includes(one)),
      );
    },
  },
];

describe.each([
  ['revision', REVISION],
  ['contraction', CONTRACTION],
])('the postulates of %s', (_name, rows) => {
  for (const { postulate, scenario, holds, notHeld } of rows)
    it(`${postulate}: ${scenario}${notHeld === undefined ? '' : ` (not held: ${notHeld})`}`, () => {
      expect(holds()).toBe(notHeld === undefined);
    });
});
