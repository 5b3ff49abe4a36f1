import { createHash } from 'node:crypto';

const HASH_DIGITS = 32;
const SUFFIX_DIGITS = 8;
const LONGEST_SLUG = 128;
// oxlint-disable-next-line no-control-regex -- ASCII is what it is about
const ASCII = /^[\x00-\x7f]*$/;

/** A name as names are compared: compatibility form, lower case, single blanks. */
export function normalisedName(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ');
}

/**
 * The id of an entity that is known by its name: `ent_` and the name with underscores where it is ASCII, followed by a hash of the
 * name where that loses more than case and blanks (C, C++ and C# are three), and a hash alone for any other name.
 */
export function entityIdOf(name: string): string {
  const normal = normalisedName(name);
  const digest = createHash('sha256').update(normal).digest('hex');
  const slug = normal.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  if (!ASCII.test(normal) || slug === '' || slug.length > LONGEST_SLUG)
    return `ent_${digest.slice(0, HASH_DIGITS)}`;
  const kept = slug === normal.replaceAll(' ', '_');
  return kept ? `ent_${slug}` : `ent_${slug}_${digest.slice(0, SUFFIX_DIGITS)}`;
}
