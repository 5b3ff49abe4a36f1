import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

import { parse } from 'smol-toml';

import { MAX_VOCABULARY_BYTES, vocabularyFile, type VocabularyFile } from '../../schemas/vocabulary.ts';
import { spelt, Vocabulary } from '../derive/vocabulary.ts';
import type { PredicateEntry } from '../derive/vocabulary/table.ts';
import { errorText, StartupError } from '../errors.ts';
import { parseInput } from '../validation.ts';

const NAME = 'STRATA_VOCABULARY';
const UNSEEN = '__proto__';

/** A vocabulary that says nothing. */
export const NO_VOCABULARY = new Vocabulary({});

/**
 * Reads the vocabulary file of a deployment, JSON or TOML by the end of its name; none named says nothing.
 *
 * @throws StartupError naming the setting, and the key within the file that is not known or whose value is not allowed.
 */
export function readVocabulary(named: string | undefined, directory: string): Vocabulary {
  if (named === undefined) return NO_VOCABULARY;
  const path = resolve(directory, named);
  const file = checked(parsed(textOf(path), path), path);
  const predicates = new Map<string, PredicateEntry>();
  const owners = new Map<string, string>();
  const claim = (name: string, owner: string): void => {
    const known = owners.get(name);
    if (known !== undefined && known !== owner)
      throw refusal(path, `is refused: predicates.${owner}: ${name} is a name of ${known} already`);
    owners.set(name, owner);
  };
  for (const [name, { cardinality, synonyms }] of Object.entries(file.predicates)) {
    const canonical = spelt(name);
    if (predicates.has(canonical))
      throw refusal(path, `is refused: predicates.${name}: ${canonical} is there twice`);
    const others = new Set(synonyms.map(spelt).filter((synonym) => synonym !== canonical));
    predicates.set(canonical, { cardinality, synonyms: [...others] });
    for (const each of [canonical, ...others]) claim(each, canonical);
  }
  return new Vocabulary(Object.fromEntries(predicates));
}

function textOf(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw refusal(path, `cannot be read: ${errorText(error)}`, error);
  }
  if (bytes.length > MAX_VOCABULARY_BYTES)
    throw refusal(path, `has ${bytes.length} bytes; ${MAX_VOCABULARY_BYTES} at most`);
  return bytes.toString('utf8');
}

function parsed(text: string, path: string): unknown {
  const type = extname(path).toLowerCase();
  if (type !== '.json' && type !== '.toml') throw refusal(path, 'its name has to end in .json or .toml');
  try {
    return type === '.json' ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw refusal(path, `is not ${type.slice(1).toUpperCase()}: ${errorText(error)}`, error);
  }
}

function checked(document: unknown, path: string): VocabularyFile {
  // No object has a member of this name that the schema would see.
  const { predicates } = (document ?? {}) as { predicates?: unknown };
  if (Object.hasOwn(Object(predicates) as object, UNSEEN))
    throw refusal(path, `is refused: predicates.${UNSEEN}: is no name of a predicate`);
  try {
    return parseInput(vocabularyFile, document, 'INVALID_BODY');
  } catch (error) {
    throw refusal(path, `is refused: ${errorText(error).replace(/^the body /, 'it ')}`, error);
  }
}

function refusal(path: string, what: string, cause?: unknown): StartupError {
  return new StartupError(`the vocabulary file ${path} (${NAME}) ${what}`, { cause });
}
