import { tableLines } from '../../src/cli/table.ts';

it('aligns columns under their names, with whatever is no text as JSON', () => {
  expect(
    tableLines(
      ['text', 'n'],
      [
        ['Ann lives_in Oslo', 2],
        ['é', { labels: ['Event'] }],
        ['on\ntwo  lines', null],
      ],
    ),
  ).toEqual([
    'text               n',
    '-----------------  --------------------',
    'Ann lives_in Oslo  2',
    'é                  {"labels":["Event"]}',
    'on two lines       null',
  ]);
});

it('cuts what is too wide for a line', () => {
  const [, , line = ''] = tableLines(['text'], [['😀'.repeat(200)]]);
  expect(Array.from(line)).toHaveLength(120);
  expect(line.endsWith('😀…')).toBe(true);
});

it('hands no control characters to a terminal', () => {
  expect(tableLines(['text'], [['a\u001b[2Jb\u009bc\u0007']])[2]).toBe('a [2Jb c');
});

it('shows the names where there are no rows', () => {
  expect(tableLines(['a', 'bc'], [])).toEqual(['a  bc', '-  --']);
  expect(tableLines([], [])).toEqual([]);
});
