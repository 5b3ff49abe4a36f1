import { normalisedName } from '../../src/derive/entity.ts';
import type { Checked, ExtractedStatement } from '../../src/derive/extraction.ts';
import { canonicalPredicate } from '../../src/derive/vocabulary.ts';
import type { Expected, Transcript } from './transcripts.ts';

/** How well one transcript was extracted from. */
export interface Score {
  readonly name: string;
  readonly expected: number;
  /** Expected statements that were found. */
  readonly found: number;
  readonly statements: number;
  /** Statements that are among the expected ones. */
  readonly right: number;
  /** Statements that name what may not be named. */
  readonly forbidden: number;
  /** Statements whose words stand in the text. */
  readonly quoted: number;
  /** Statements that could not be used. */
  readonly unusable: number;
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
  /** What was not found, and what should not be there, in words. */
  readonly faults: readonly string[];
}

/** The score of what was said of each item of a transcript, in the order of the items. */
export function scoreOf(
  { name, expected, forbidden }: Transcript,
  byItem: readonly (readonly Checked[])[],
): Score {
  const all = byItem.flatMap((checked, i) =>
    checked.flatMap((one) => (one.usable ? [{ item: i + 1, statement: one.statement }] : [])),
  );
  const matches = (wanted: Expected) =>
    all.filter(({ item, statement }) => item === wanted.item && isMatch(wanted, statement));
  const found = expected.filter((wanted) => matches(wanted).length > 0);
  const right = new Set(expected.flatMap(matches));
  const banned = new Set(forbidden.map(normalisedName));
  const wrong = all.filter(({ statement }) => namesOf(statement).some((text) => banned.has(text)));
  return {
    name,
    ...rates({
      expected: expected.length,
      found: found.length,
      statements: all.length,
      right: right.size,
      forbidden: wrong.length,
      quoted: all.filter(({ statement }) => statement.span !== null).length,
      unusable: byItem.flat().filter(({ usable }) => !usable).length,
    }),
    faults: [
      ...expected.filter((wanted) => !found.includes(wanted)).map((wanted) => `missing: ${wordsOf(wanted)}`),
      ...wrong.map(({ item, statement }) => `forbidden: ${item}: ${namesOf(statement).join(' → ')}`),
    ],
  };
}

/** The score of all transcripts together. */
export function totalOf(scores: readonly Score[]): Score {
  const sum = (
    key: 'expected' | 'found' | 'statements' | 'right' | 'forbidden' | 'quoted' | 'unusable',
  ): number => scores.reduce((total, score) => total + score[key], 0);
  const counts = {
    expected: sum('expected'),
    found: sum('found'),
    statements: sum('statements'),
    right: sum('right'),
    forbidden: sum('forbidden'),
    quoted: sum('quoted'),
    unusable: sum('unusable'),
  };
  return { name: 'total', ...rates(counts), faults: [] };
}

type Counts = Pick<
  Score,
  'expected' | 'found' | 'statements' | 'right' | 'forbidden' | 'quoted' | 'unusable'
>;

/** Where nothing is expected, or nothing was said, the share is whole. */
function rates(counts: Counts): Omit<Score, 'name' | 'faults'> {
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  const recall = share(counts.found, counts.expected);
  const precision = share(counts.right, counts.statements);
  const f1 = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return { ...counts, recall: rounded(recall), precision: rounded(precision), f1: rounded(f1) };
}

function isMatch(wanted: Expected, statement: ExtractedStatement): boolean {
  const { predicate, polarity, valid_from } = statement.triple;
  const [subject = '', object = ''] = namesOf(statement);
  const holds = polarity !== 'negative' ? 'yes' : typeof valid_from === 'string' ? 'ended' : 'never';
  const predicates = wanted.predicate.map(canonicalPredicate);
  return (
    wanted.subject.map(normalisedName).includes(subject) &&
    wanted.object.map(normalisedName).includes(object) &&
    predicates.includes(canonicalPredicate(predicate)) &&
    wanted.holds === holds &&
    (wanted.valid_from === undefined || valid_from?.startsWith(wanted.valid_from) === true)
  );
}

function namesOf({ triple: { subject, object } }: ExtractedStatement): string[] {
  return [subject, object].map((term) =>
    normalisedName(
      term.type === 'entity'
        ? (term.name ?? term.id)
        : typeof term.value === 'string'
          ? term.value
          : JSON.stringify(term.value),
    ),
  );
}

function wordsOf({ item, subject, predicate, object, holds, valid_from }: Expected): string {
  const when = valid_from === undefined ? '' : ` from ${valid_from}`;
  return `${item}: ${subject[0] ?? ''} ${predicate[0] ?? ''} ${object[0] ?? ''} (${holds}${when})`;
}
