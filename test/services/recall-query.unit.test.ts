import { readQuery } from '../../src/services/recall-query.ts';
import { windowOf } from '../../src/recall/window.ts';

const now = Date.parse('2026-02-04T09:00:00Z');

/** The terms that a query is searched by, beside what a request says of time. */
function sought(query: string, temporal?: Parameters<typeof windowOf>[0]): string[] {
  const window = windowOf(temporal, { now, own: [] });
  return readQuery(query, { natural: temporal?.natural, window }).words.map(
    (terms) => [...terms.keys()][0] ?? '',
  );
}

describe('the words of a query beside a time phrase', () => {
  it('are without those of the phrase, which is the time that is asked for', () => {
    expect(sought('What did I do yesterday?', { natural: 'yesterday' })).toEqual([]);
    expect(sought('Where did I walk yesterday?', { natural: 'yesterday' })).toEqual(['walk']);
    expect(sought('What did I do in the evening yesterday?', { natural: 'yesterday evening' })).toEqual([]);
    const stretch: [string, string] = ['2026-01-01', '2026-03-01'];
    expect(sought('What did I do yesterday?', { natural: 'yesterday', valid_during: stretch })).toEqual([]);
  });

  it('are all there where the phrase has not become a time', () => {
    const natural = 'the day of the picnic';
    expect(sought('Who came on the day of the picnic?', { natural, natural_mode: 'lenient' })).toEqual([
      'came',
      'day',
      'picnic',
    ]);
    expect(sought('What did I do yesterday?', { valid_during: ['2026-01-01', '2026-01-02'] })).toEqual([
      'yesterday',
    ]);
  });

  it('are without the phrase, and not without its words elsewhere, where it stands among them', () => {
    const natural = 'last week';
    expect(sought('Which week did I call the last one last week?', { natural })).toEqual([
      'week',
      'call',
      'last',
      'one',
    ]);
  });
});

describe('the words of a query', () => {
  it.each<[string, string[]]>([
    ['Who said "what is it"?', ['said', 'what', 'is', 'it']],
    ['“Tell me everything”', ['tell', 'me', 'everyth']],
    ["did I hear 'The Who' or ‘it’?", ['hear', 'the', 'who', 'it']],
    ['where is the 5" pipe?', ['5', 'pipe']],
  ])('are those in quotes whatever they are: %s', (query, words) => {
    expect(sought(query)).toEqual(words);
  });

  it.each<[string, string[]]>([
    ['What about Will?', ['will']],
    ['Me and Will', ['will']],
    ['What did Will do?', ['will']],
    ["Where is Will's bike?", ['will', 'bike']],
    ['What will May do?', ['may']],
    ['Who is at the WHO?', ['who']],
    ['Will you come?', ['come']],
    ['Fine. Will I come?', ['fine', 'come']],
    ['What Did I Do at the Time?', ['time']],
    ['WHAT DID I DO?', []],
  ])('are names that would only ask in small letters: %s', (query, words) => {
    expect(sought(query)).toEqual(words);
  });

  it.each<[string, string[]]>([
    ["What's it about?", []],
    ["I'm what I'm; who's she, what’re they, where'd he?", []],
    ["What didn't I do, can't do, won’t do?", []],
    ["What isn't Priya's?", ['priya', 's']],
    ["Who's John O'Neill's?", ['john', 'o', 'neill', 's']],
  ])('are not the parts of contractions that ask: %s', (query, words) => {
    expect(sought(query)).toEqual(words);
  });

  it.each<[string, string[]]>([
    ['Was habe ich über Anna gesagt?', ['anna', 'gesagt']],
    ['Erzähl mir alles über mich', []],
    ["Qu'est-ce que j'ai fait ?", []],
    ['Où est-ce que je travaille ?', ['travaill']],
    ['¿Qué he hecho con Ana?', ['ana']],
    ['Che cosa ho detto di Roma?', ['detto', 'roma']],
    ['O que eu fiz?', []],
    // None of these is in another language.
    ['die hard', ['die', 'hard']],
    ['war and peace', ['war', 'peac']],
    ['How do I say que and quien in Spanish?', ['say', 'que', 'quien', 'spanish']],
    ['Maria de la Cruz', ['maria', 'de', 'la', 'cruz']],
    ['Wo wohnt Anna?', ['wo', 'wohnt', 'anna']],
  ])('are in another language without what asks in that: %s', (query, words) => {
    expect(sought(query)).toEqual(words);
  });
});
