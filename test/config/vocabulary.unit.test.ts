import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MAX_VOCABULARY_BYTES } from '../../schemas/vocabulary.ts';
import { loadConfig, type Config } from '../../src/config.ts';
import { StartupError } from '../../src/errors.ts';

const directory = mkdtempSync(join(tmpdir(), 'strata-vocabulary-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

function load(name: string, text: string): Config {
  writeFileSync(join(directory, name), text);
  return loadConfig({ directory, environment: { STRATA_VOCABULARY: name } });
}

function refusal(name: string, text: string | null): StartupError {
  try {
    if (text === null) loadConfig({ directory, environment: { STRATA_VOCABULARY: name } });
    else load(name, text);
  } catch (error) {
    return error as StartupError;
  }
  throw new Error('the vocabulary was taken');
}

const json = (predicates: unknown): string => JSON.stringify({ predicates });

describe('the vocabulary file', () => {
  const WANTED = {
    lives_in: { cardinality: 'many', synonyms: ['dwells_in', 'home'] },
    owner_of: { cardinality: 'one', synonyms: [] },
  };

  it('says nothing when none is named', () => {
    expect(loadConfig({ directory, environment: {} }).vocabulary).toEqual({});
  });

  it('is JSON or TOML, in any spelling', () => {
    const text = json({
      'Lives in': { cardinality: 'many', synonyms: ['home', 'dwells-in', 'LIVES_IN'] },
      owner_of: { cardinality: 'one' },
    });
    expect(load('good.json', text).vocabulary).toEqual(WANTED);
    const toml =
      '[predicates."Lives in"]\ncardinality = "many"\nsynonyms = ["home", "dwells-in"]\n[predicates.owner_of]\ncardinality = "one"\n';
    expect(load('good.toml', toml).vocabulary).toEqual(WANTED);
  });

  it.each([
    ['a file that is not there', 'missing.json', null, 'cannot be read'],
    ['another kind of file', 'x.yaml', 'predicates: {}', 'has to end in .json or .toml'],
    ['a text that is no JSON', 'x.json', '{', 'is not JSON'],
    ['a text that is no TOML', 'x.toml', '[', 'is not TOML'],
    ['another value', 'x.json', '[]', 'it is of the wrong type'],
    ['an unknown key', 'x.json', '{"predicates": {}, "verbs": {}}', 'verbs: unknown field'],
    [
      'an unknown key of a predicate',
      'x.json',
      json({ a: { cardinality: 'one', kind: 1 } }),
      'predicates.a.kind',
    ],
    ['a predicate without cardinality', 'x.json', json({ a: {} }), 'predicates.a.cardinality'],
    [
      'an unknown cardinality',
      'x.json',
      json({ a: { cardinality: 'few' } }),
      'predicates.a.cardinality: must be one of one, many, exclusive',
    ],
    ['a blank name', 'x.json', json({ ' ': { cardinality: 'one' } }), 'predicates. : Invalid key'],
    [
      'a blank synonym',
      'x.json',
      json({ a: { cardinality: 'one', synonyms: [''] } }),
      'predicates.a.synonyms[0]: is blank',
    ],
    [
      'a name twice',
      'x.json',
      json({ 'A b': { cardinality: 'one' }, a_b: { cardinality: 'one' } }),
      'a_b is there twice',
    ],
    [
      'a synonym of two',
      'x.json',
      json({ a: { cardinality: 'one', synonyms: ['c'] }, b: { cardinality: 'one', synonyms: ['C'] } }),
      'c is a name of a already',
    ],
    [
      'a name that is a synonym',
      'x.json',
      json({ a: { cardinality: 'one', synonyms: ['b'] }, b: { cardinality: 'one' } }),
      'b is a name of a already',
    ],
    [
      'a name that no object may have',
      'x.json',
      '{"predicates": {"__proto__": {"cardinality": "few"}}}',
      '__proto__',
    ],
    ['too large a file', 'x.json', ' '.repeat(MAX_VOCABULARY_BYTES + 1), `${MAX_VOCABULARY_BYTES} at most`],
  ])('is refused at the start, naming setting and key: %s', (_what, name, text, message) => {
    const error = refusal(name, text);
    expect(error).toBeInstanceOf(StartupError);
    expect(error.exitCode).toBe(78);
    expect(error.message).toContain('STRATA_VOCABULARY');
    expect(error.message).toContain(message);
  });
});
