import { OPEN_END } from '../../schemas/time.ts';
import {
  restsOnAnother,
  type ClaimAssignment,
  type Reassignment,
  type AssignmentInterval,
} from '../../src/derive/claim/assignment.ts';

const home = (claim: string, at: number): ClaimAssignment => ({ claim, at, value: 'v', by: `link_${at}` });
const stay = (from: number, to: number): AssignmentInterval => ({ from, to, by: '', until: null });
const assigned_during = (...all: AssignmentInterval[]): Reassignment => ({
  assigned_during: all,
  assignments: [],
});
const assignments = (...all: ClaimAssignment[]): Reassignment => ({ assigned_during: [], assignments: all });

describe('what links moved with its reason rests on what that is about', () => {
  const reason = assignments(home('a', 10), home('z', 20));

  it.each<[string, Reassignment, string, boolean]>([
    [
      'before both were moved, and not where the reason was then',
      assigned_during(stay(20, OPEN_END)),
      'a',
      false,
    ],
    ['after both were moved, and not where the reason is now', assigned_during(stay(12, 20)), 'z', false],
    ['later than the reason', assigned_during(stay(25, OPEN_END)), 'a', false],
    ['while the reason is elsewhere', assigned_during(stay(15, OPEN_END)), 'a', true],
    ['since before the reason was there', assigned_during(stay(5, 9)), 'a', true],
    ['again later', assigned_during(stay(12, 15), stay(30, OPEN_END)), 'z', true],
    ['but on no third claim', assigned_during(stay(0, OPEN_END)), 'b', false],
  ])('%s', (_when, statement, claim, expected) => {
    expect(restsOnAnother(statement, reason, claim)).toBe(expected);
  });
});
