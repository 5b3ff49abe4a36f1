import { answerInput, layersOf, recallInput } from '../../src/explorer/views/recall/asked.ts';
import { answerParts, bytesOf, contextLines, markersById } from '../../src/explorer/views/recall/context.ts';

const CITATIONS = {
  '[1]': { layer: 'facts', id: 'fact_1' },
  '[2]': { layer: 'events', id: 'evt_2' },
};

describe('a context block', () => {
  it('is told line by line, with stamps and markers apart', () => {
    const block =
      '[1962-01-01 00:00 UTC] [1] Tern built in 1958\n---\n[2025-06-03 15:42 +02:00] [2] a [1] in it';
    expect(contextLines(block, CITATIONS)).toEqual([
      { stamp: '[1962-01-01 00:00 UTC]', marker: '[1]', text: 'Tern built in 1958' },
      { stamp: null, marker: null, text: '---' },
      { stamp: '[2025-06-03 15:42 +02:00]', marker: '[2]', text: 'a [1] in it' },
    ]);
  });

  it('has no marker that stands for nothing', () => {
    const line = '[what somebody wrote] [3] of a list';
    expect(contextLines(line, CITATIONS)).toEqual([{ stamp: null, marker: null, text: line }]);
  });

  it('of nothing has no lines', () => {
    expect(contextLines('', CITATIONS)).toEqual([]);
  });

  it('tells the marker of a record', () => {
    expect(markersById(CITATIONS).get('evt_2')).toBe('[2]');
  });
});

describe('an answer', () => {
  it('has the markers apart that are cited, and no others', () => {
    expect(answerParts('It is not [1], says [9].', new Set(['[1]']))).toEqual([
      { is: 'text', text: 'It is not ' },
      { is: 'marker', marker: '[1]' },
      { is: 'text', text: ', says ' },
      { is: 'text', text: '[9]' },
      { is: 'text', text: '.' },
    ]);
  });
});

describe('a part of a text in bytes', () => {
  it('is counted in UTF-8, without half characters', () => {
    expect(bytesOf('Tromsø is far', { start: 0, end: 7 })).toBe('Tromsø');
    expect(bytesOf('Tromsø is far', { start: 6, end: 13 })).toBe(' is fa');
  });
});

describe('what an address asks for', () => {
  it('leaves what is not said to the service', () => {
    expect(recallInput('a:b', {}, null)).toEqual({ scope: 'a:b' });
  });

  it('has all that is said', () => {
    const parameters = {
      q: 'hull',
      view: 'local',
      when: 'last week',
      tokens: '500',
      layers: 'events,facts',
      superseded: 'yes',
      detail: 'full',
    };
    const input = recallInput('a:b', parameters, { recorded: '2026-01-01T00:00:00Z' });
    expect(input).toEqual({
      scope: 'a:b',
      query: 'hull',
      view: 'local',
      include: ['facts', 'events'],
      temporal: { natural: 'last week', asOf: { recorded: '2026-01-01T00:00:00Z' } },
      budgets: { maxTokens: 500 },
      includeSuperseded: true,
      diagnostics: 'full',
    });
    expect(answerInput(input)).toMatchObject({ question: 'hull', view: 'local' });
    expect(Object.keys(answerInput(input))).not.toContain('diagnostics');
  });

  it('has all layers where it names none that there is', () => {
    expect(layersOf({ layers: 'nothing' })).toHaveLength(5);
  });
});
