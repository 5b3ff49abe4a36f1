import { renamedQueries } from '../../src/recall/renamed.ts';

const NAMES: Record<string, readonly string[]> = {
  ARR: ['annual recurring revenue', 'run rate'],
  'New York': ['Big Apple'],
  York: ['Eboracum'],
};
const others = (name: string): readonly string[] => NAMES[name] ?? [];

describe('a query with other names', () => {
  it.each([
    ['What is our ARR?', 2, ['What is our annual recurring revenue?', 'What is our run rate?']],
    ['What is our ARR?', 1, ['What is our annual recurring revenue?']],
    ['ARRIVALS and ARR', 1, ['ARRIVALS and annual recurring revenue']],
    ['Who lives in New  York?', 3, ['Who lives in Big Apple?']],
    ['Nothing of that', 2, []],
    ['', 2, []],
  ])('%j, at most %d: %j', (query, most, renamed) => {
    expect(renamedQueries(query, others, most)).toEqual(renamed);
  });
});
