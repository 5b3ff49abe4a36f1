import { queryWords } from '../../src/capture/search-words.ts';
import { datesAlone, possibleNames, soughtWords } from '../../src/recall/query-words.ts';

const asWords = (text: string) => (text === '' ? [] : text.split(' ').map((word) => ({ word })));
const sought = (text: string, most = 10) => soughtWords(asWords(text), most).map(({ word }) => word);

describe('the words of a query', () => {
  it('leave out what only makes it a question', () => {
    expect(sought('what did the crew say about oxygen tank 2')).toEqual([
      'crew',
      'say',
      'oxygen',
      'tank',
      '2',
    ]);
    expect(sought('who is ann')).toEqual(['ann']);
    expect(sought('do you know ann')).toEqual(['know', 'ann']);
  });

  it.each(['tell me everything about me', 'what do you know', 'to be or not to be', 'what happened', ''])(
    'are none where it only asks: %j',
    (text) => {
      expect(sought(text)).toEqual([]);
    },
  );

  it('come once each, in order, and no more than asked for; what has no word of its own counts', () => {
    expect(sought('b x b y z', 3)).toEqual(['b', 'x', 'y']);
    const date = { word: null, others: ['@2026-05-05'] };
    expect(soughtWords([...asWords('what happened on'), date], 3)).toEqual([{ word: 'happened' }, date]);
  });
});

describe('the dates of a query', () => {
  const dates = (text: string) => datesAlone(soughtWords(queryWords(text), 10));

  it.each<[string, string]>([
    ['What did I do on 2026-03-04?', '2026-3-4'],
    ['Tell me everything that happened on March 4th', '-3-4'],
    ['What did I do in March 2026?', '2026-3-'],
    ['What did I do on the 6th of February 2026?', '2026-2-6'],
    ['03/04/2026', '2026-3-4 2026-4-3'],
    ['What did I cook on 2026-03-04?', ''],
    ['What did I do in 2026?', ''],
    ['What did I do?', ''],
  ])('of %j are %j where it asks for nothing else', (query, expected) => {
    const found = dates(query).map(({ year, month, day }) => `${year ?? ''}-${month}-${day ?? ''}`);
    expect(found.join(' ')).toBe(expected);
  });

  it('are what is looked for, without words that ask for whatever there is', () => {
    const words = soughtWords(queryWords('What happened on 2026-03-04?'), 10);
    expect(words.map(({ word }) => word)).toEqual(['@2026-03-04']);
  });
});

describe('what may be a name in a query', () => {
  it('is every run of up to five words, the longest first, without signs and genitives', () => {
    expect(possibleNames('What is Oxygen Tank 2?')).toEqual(
      expect.arrayContaining(['Oxygen Tank 2', 'Oxygen Tank', 'Tank 2', 'Oxygen', 'Tank', '2']),
    );
    expect(possibleNames("Where is Priya's office?")).toContain('Priya');
    expect(possibleNames('C++ or C#?')).toEqual(expect.arrayContaining(['C++', 'C#']));
    const [first = ''] = possibleNames('one two three four five six');
    expect(first.split(' ')).toHaveLength(5);
  });

  it('is a word that asks where it is quoted or begins with a capital letter', () => {
    expect(possibleNames("Where's Will?")).toContain('Will');
    expect(possibleNames('Where is Will Smith?')).toEqual(expect.arrayContaining(['Will Smith', 'Will']));
    expect(possibleNames('who is "who"?')).toEqual(expect.arrayContaining(['who']));
    expect(possibleNames("what's it?")).toEqual([]);
  });

  it('is nothing that only makes a question', () => {
    expect(possibleNames('who is he')).toEqual([]);
    expect(possibleNames('The Who')).toEqual([]);
    expect(possibleNames('Doctor Who')).toContain('Doctor Who');
    expect(possibleNames('?!')).toEqual([]);
  });

  it('is bounded whatever the query', () => {
    const long = Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' ');
    expect(possibleNames(long).length).toBeLessThanOrEqual(240);
  });

  it('has no word that is too long for one, and looks no further than it has to', () => {
    const signs = '!'.repeat(130_000);
    expect(possibleNames(`a${signs}a`)).toEqual([]);
    expect(possibleNames(`where is Ann a${signs}a "Bo…"`)).toEqual(expect.arrayContaining(['Ann Bo', 'Bo']));
    const many = possibleNames(`${`a${'!'.repeat(200)}a `.repeat(600)}Zed`);
    expect(many).not.toContain('Zed');
    expect(possibleNames(`${'?! '.repeat(30_000)} Zed`)).toEqual(['Zed']);
  });

  it('ends with a plus or a number sign, and with no other', () => {
    expect(possibleNames('(C++). ¿F#? +1! 🚀x🚀')).toEqual(
      expect.arrayContaining(['C++', 'F#', '1', 'x', 'C++ F#']),
    );
  });
});
