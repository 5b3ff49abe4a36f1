import {
  PHRASE_ANCHORS,
  phraseSteps,
  type PhraseAnchor,
  type TemporalPhrase,
} from '../../../schemas/temporal-phrase.ts';
import { wallOfExisting, type Calendar } from '../calendar.ts';
import { refused, spanning, type Meaning } from './meaning.ts';
import { unitSeries, type Unit } from './series.ts';

const UNITS: Readonly<Record<Exclude<PhraseAnchor, 'now'>, Unit>> = {
  today: 'day',
  this_week: 'week',
  this_month: 'month',
  this_quarter: 'quarter',
  this_year: 'year',
};

function anchorInstant(anchor: string, calendar: Calendar, reference: number): number | null {
  const name = PHRASE_ANCHORS.find((known) => known === anchor);
  if (name === 'now') return reference;
  if (name !== undefined) {
    const series = unitSeries(calendar, UNITS[name], reference);
    return series.at(series.index(reference))?.from ?? null;
  }
  const [year = 0, month = 0, day = 0] = anchor.split('-').map(Number);
  const wall = wallOfExisting({ year, month, day });
  return wall === null ? null : calendar.instantOf(wall);
}

/** The interval of an own phrase. Throws `TypeError` for one whose expression its schema refuses. */
export function ownInterval(
  { name, anchor, expression }: TemporalPhrase,
  calendar: Calendar,
  reference: number,
): Meaning {
  const steps = phraseSteps(expression);
  if (steps === null)
    throw new TypeError(`expression of the phrase ${JSON.stringify(name)} is not two durations`);
  const at = anchorInstant(anchor, calendar, reference);
  if (at === null) return refused('no_such_date');
  const [from, to] = [calendar.plus(at, steps.from), calendar.plus(at, steps.to)];
  return spanning({ from, to });
}
