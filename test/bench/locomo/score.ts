import { CATEGORIES, type Question } from './dataset.ts';

/** Depths at which recall is told. */
export const DEPTHS = [5, 10, 20, 50] as const;

/** What was found for a question: the turns, best first, and the session of each. */
export interface Answered {
  readonly question: Question;
  readonly found: readonly string[];
  readonly sessionOf: (turn: string) => number | undefined;
}

/** How well questions were answered, shares of 1. */
export interface Score {
  readonly name: string;
  readonly questions: number;
  /** Mean share of the evidence among the first 5, 10, 20 and 50 turns. */
  readonly recall: Readonly<Record<(typeof DEPTHS)[number], number>>;
  /** Share of the questions whose first turn is of a session that holds evidence. */
  readonly session_hit_1: number;
  /** Share of the questions of which all evidence is among the first 10. */
  readonly all_evidence_10: number;
}

/** The scores by category, and of categories 1 to 4 together, which is what others tell. */
export function scoresOf(answered: readonly Answered[]): Score[] {
  const categories = [...new Set(answered.map(({ question }) => question.category))].sort((a, b) => a - b);
  return [
    ...categories.map((category) =>
      scoreOf(
        CATEGORIES[category] ?? String(category),
        answered.filter(({ question }) => question.category === category),
      ),
    ),
    scoreOf(
      'categories 1-4',
      answered.filter(({ question }) => question.category !== 5),
    ),
  ];
}

function scoreOf(name: string, answered: readonly Answered[]): Score {
  const mean = (of: (one: Answered) => number): number =>
    answered.reduce((sum, one) => sum + of(one), 0) / Math.max(1, answered.length);
  const at = (depth: number) =>
    mean(({ question, found }) => {
      const first = new Set(found.slice(0, depth));
      return question.evidence.filter((id) => first.has(id)).length / question.evidence.length;
    });
  return {
    name,
    questions: answered.length,
    recall: { 5: at(5), 10: at(10), 20: at(20), 50: at(50) },
    session_hit_1: mean(({ question, found: [first], sessionOf }) =>
      Number(first !== undefined && question.evidence.some((id) => sessionOf(id) === sessionOf(first))),
    ),
    all_evidence_10: mean(({ question, found }) => {
      const first = new Set(found.slice(0, 10));
      return Number(question.evidence.every((id) => first.has(id)));
    }),
  };
}

/** The scores as a table, in percent. */
export function tableOf(scores: readonly Score[]): string {
  const percent = (share: number): string => (100 * share).toFixed(1);
  const rows = scores.map(({ name, questions, recall, session_hit_1, all_evidence_10 }) => [
    name,
    String(questions),
    ...DEPTHS.map((depth) => percent(recall[depth])),
    percent(session_hit_1),
    percent(all_evidence_10),
  ]);
  const head = ['', 'n', ...DEPTHS.map((depth) => `recall@${depth}`), 'session hit@1', 'all evidence@10'];
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
