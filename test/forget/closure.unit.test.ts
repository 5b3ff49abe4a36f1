import type { Cascade } from '../../schemas/forget.ts';
import { closureOf, type Closure } from '../../src/forget/closure.ts';
import type { Footprint, FootprintStatement } from '../../src/forget/footprint.ts';
import { byLayer, type ByLayer } from '../../src/forget/layers.ts';

const stated = (id: string, more: Partial<FootprintStatement> = {}): FootprintStatement => ({
  id,
  said: id,
  event_id: `evt_${id}`,
  claim: 'c',
  value: 'v',
  fact: 'fact_v',
  belief: 'belief_v',
  concepts: [],
  premises: [],
  grounds: [],
  continues: false,
  elsewhere: false,
  ...more,
});
const of = (id: string, role: 'subject' | 'object' = 'subject') => ({ id, role });

function closure(
  footprint: Partial<Footprint>,
  selected: Partial<ByLayer<readonly string[]>>,
  cascade: Cascade = 'derived_only',
): Closure {
  const whole: Footprint = {
    ...{ statements: [], events: new Map(), premises: new Map(), concepts: new Map(), episodes: new Map() },
    ...footprint,
  };
  return closureOf({ ...byLayer(() => []), ...selected }, cascade, whole);
}

describe('a fact', () => {
  const statements = [stated('a'), stated('b')];

  it('stays with one of its statements, and goes with all', () => {
    const one = closure({ statements }, { events: ['evt_a'] });
    expect([one.gone.facts, one.revised.facts, one.statements]).toEqual([[], ['fact_v'], ['a']]);
    const both = closure({ statements }, { events: ['evt_a', 'evt_b'] });
    expect([both.gone.facts, both.revised.facts, both.gone.beliefs]).toEqual([['fact_v'], [], ['belief_v']]);
  });

  it('is wished away under every id that links gave what states it', () => {
    const linked = [
      stated('a', { said: 'x' }),
      stated('a_moved', { said: 'x', event_id: 'evt_a', claim: 'd', fact: 'fact_w', belief: 'belief_w' }),
    ];
    const { wishes, gone } = closure({ statements: linked }, { facts: ['fact_w'] }, 'none');
    expect(wishes).toEqual([{ event_id: 'evt_a', layer: 'facts', ids: ['a', 'a_moved'] }]);
    expect([gone.facts, gone.beliefs]).toEqual([
      ['fact_v', 'fact_w'],
      ['belief_v', 'belief_w'],
    ]);
  });

  it('of a later stretch goes with its conclusion, which alone is named', () => {
    const stretches = [
      stated('a'),
      stated('later', { said: 'a', event_id: 'evt_a', fact: 'fact_later', belief: null, continues: true }),
    ];
    const { wishes, gone } = closure({ statements: stretches }, { facts: ['fact_later'] });
    expect([wishes, gone.facts]).toEqual([
      [{ event_id: 'evt_a', layer: 'facts', ids: ['a'] }],
      ['fact_later', 'fact_v'],
    ]);
  });
});

describe('a belief', () => {
  it('stays while something denies its value', () => {
    const statements = [stated('a'), stated('denied', { fact: null })];
    const { gone, revised } = closure({ statements }, { facts: ['fact_v'] });
    expect([gone.facts, gone.beliefs, revised.beliefs]).toEqual([['fact_v'], [], ['belief_v']]);
  });

  it('that is forgotten takes no fact with it, and what it supported in concepts', () => {
    const statements = [stated('a', { concepts: [of('concept_a')] })];
    const { wishes, gone } = closure(
      { statements, concepts: new Map([['concept_a', 1]]) },
      { beliefs: ['belief_v'] },
    );
    expect(wishes).toEqual([{ event_id: 'evt_a', layer: 'beliefs', ids: ['a'] }]);
    expect([gone.facts, gone.beliefs, gone.understanding]).toEqual([[], ['belief_v'], ['concept_a']]);
  });
});

describe('a concept', () => {
  const statements = [stated('a', { concepts: [of('concept_a'), of('concept_o', 'object')] })];
  const concepts = new Map([
    ['concept_a', 2],
    ['concept_o', 1],
  ]);

  it('goes when nothing supports it, and is revised while others do', () => {
    const { gone, revised } = closure({ statements, concepts }, { events: ['evt_a'] });
    expect([gone.understanding, revised.understanding]).toEqual([['concept_o'], ['concept_a']]);
  });

  it('is wished away in the role in which its entity is named', () => {
    const { wishes, gone } = closure({ statements, concepts }, { understanding: ['concept_o'] }, 'none');
    expect(wishes).toEqual([{ event_id: 'evt_a', layer: 'understanding', ids: ['a/object'] }]);
    expect([gone.understanding, gone.facts]).toEqual([['concept_o'], []]);
  });
});

describe('a conclusion', () => {
  const concluded = stated('z', {
    claim: 'd',
    value: 'w',
    fact: 'fact_w',
    belief: 'belief_w',
    premises: ['a'],
  });
  const premises = new Map([['a', { type: 'fact', claim: 'c', value: 'v' } as const]]);

  it('falls with the statement that it names, even where others state the same', () => {
    const { gone } = closure(
      { statements: [stated('a'), stated('b'), concluded], premises },
      { events: ['evt_a'] },
    );
    expect(gone.facts).toEqual(['fact_w']);
  });

  it('is revised where the claim that it rests on loses something else', () => {
    const { gone, revised } = closure(
      { statements: [stated('a'), stated('b'), concluded], premises },
      { events: ['evt_b'] },
    );
    expect([gone.facts, revised.facts]).toEqual([[], ['fact_v', 'fact_w']]);
  });

  it('of another scope is kept apart, and nothing is wished of it', () => {
    const there = { ...concluded, elsewhere: true };
    const { gone, elsewhere, wishes } = closure(
      { statements: [stated('a'), there], premises },
      { facts: ['fact_v'] },
    );
    expect([gone.facts, elsewhere.gone.facts, wishes.length]).toEqual([['fact_v'], ['fact_w'], 1]);
  });
});

describe('what lies in another scope', () => {
  it('is not taken, whoever names it', () => {
    const statements = [stated('a', { elsewhere: true, concepts: [of('concept_a')] })];
    const selected = { facts: ['fact_v'], beliefs: ['belief_v'], understanding: ['concept_a'] };
    for (const cascade of ['none', 'derived_only', 'redact_events'] as const) {
      const { wishes, redacted, elsewhere } = closure(
        { statements, concepts: new Map([['concept_a', 1]]) },
        selected,
        cascade,
      );
      expect([wishes, redacted, elsewhere.gone.facts]).toEqual([[], [], []]);
    }
  });
});

describe('events', () => {
  const events = new Map([
    ['evt_a', { visible: true, episode: 'ep_1' }],
    ['evt_b', { visible: true, episode: 'ep_1' }],
    ['evt_gone', { visible: false, episode: null }],
  ]);
  const episode = { events: 2, beside: ['ep_0'], first: 'evt_a', cited_by: ['concept_c'] };
  const episodes = new Map([['ep_1', episode]]);

  it('are redacted whether they are visible, and counted where they are', () => {
    const { redacted, gone, wishes } = closure(
      { events, episodes },
      { events: ['evt_gone', 'evt_a'] },
      'redact_events',
    );
    expect([redacted, gone.events, wishes]).toEqual([['evt_a', 'evt_gone'], ['evt_a'], []]);
  });

  it('that are there no longer are not redacted once more', () => {
    const { redacted, gone } = closure(
      { events, episodes },
      { events: ['evt_a', 'evt_erased'] },
      'redact_events',
    );
    expect([redacted, gone.events]).toEqual([['evt_a'], ['evt_a']]);
  });

  it('leave an episode that is cited, which is then cited otherwise where it goes or is found under another id', () => {
    const revised = (events: string[]): readonly string[] =>
      closure({ events: known, episodes }, { events }).revised.understanding;
    const known = events;
    expect([revised(['evt_b']), revised(['evt_a']), revised(['evt_a', 'evt_b'])]).toEqual([
      [],
      ['concept_c'],
      ['concept_c'],
    ]);
  });

  it('leave their episodes, which go with the last', () => {
    const one = closure({ events, episodes }, { events: ['evt_a'] });
    expect([one.gone.episodes, one.revised.episodes]).toEqual([[], ['ep_0', 'ep_1']]);
    const both = closure({ events, episodes }, { episodes: ['ep_1'] }, 'none');
    expect(both.gone.episodes).toEqual(['ep_1']);
    expect(both.wishes.map(({ event_id, layer, ids }) => [event_id, layer, ids])).toEqual([
      ['evt_a', 'episodes', null],
      ['evt_b', 'episodes', null],
    ]);
  });
});

describe('wishes', () => {
  it('of a whole event leave out what they hold already', () => {
    const statements = [stated('a', { concepts: [of('concept_a')] })];
    const selected = {
      events: ['evt_a'],
      facts: ['fact_v'],
      beliefs: ['belief_v'],
      understanding: ['concept_a'],
    };
    const { wishes } = closure({ statements, concepts: new Map([['concept_a', 1]]) }, selected);
    expect(wishes.map(({ layer, ids }) => [layer, ids])).toEqual([
      ['episodes', null],
      ['facts', null],
    ]);
  });
});
