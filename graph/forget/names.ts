import type { Integer } from 'neo4j-driver';

import { entityIdOf, normalisedName } from '../../src/derive/entity.ts';
import { EntityLinks } from '../../src/derive/entity-links.ts';
import { StrataError } from '../../src/errors.ts';
import type { NamedText } from '../../src/forget/selector.ts';
import { FORGET_NAMED_ENTITIES } from '../../src/limits/forget.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import type { Reader } from '../driver.ts';
import { entityKey, EntityLinkReader } from '../entity/link.ts';
import { FIRST } from '../instant.ts';
import { int, statement } from '../statement.ts';

const named = statement<{ ref: string; name: string; most: Integer }, { id: string }>(
  'forget.named',
  'index entity_name_scope',
  `MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name, position)
   WHERE m.scope_ref = $ref AND m.normalised_name = $name AND m.position >= 0
   WITH DISTINCT m.id AS id LIMIT $most
   RETURN id`,
);

// A name that others of the scope have too says of an event's subject nothing sure.
const ownNames = statement<{ ref: string; ids: readonly string[]; most: Integer }, { name: string }>(
  'forget.own_names',
  'indexes entity_name_order and entity_name_scope',
  `UNWIND $ids AS id
   CALL (id) {
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(entity_key, recorded_at, position, normalised_name)
     WHERE m.entity_key = $ref + ' ' + id AND m.recorded_at >= ${FIRST} AND m.position >= 0 AND m.normalised_name >= '' AND m.given
     WITH m LIMIT $most
     RETURN DISTINCT m.normalised_name AS name
   }
   WITH DISTINCT name
   WHERE NOT EXISTS {
     MATCH (other:EntityName) USING INDEX SEEK other:EntityName(scope_ref, normalised_name, position)
     WHERE other.scope_ref = $ref AND other.normalised_name = name AND other.position >= 0 AND NOT other.id IN $ids
   }
   RETURN name`,
);

/**
 * What a text about an entity stands for in a scope: every entity that has it as its id or ever had it as a name, what these go by now, and
 * the names that stand for nothing else. Throws `INVALID_BODY` for the field of the selector where it is the name of more than
 * {@link FORGET_NAMED_ENTITIES} entities.
 */
export async function namedText(
  reader: Reader,
  ref: string,
  { field, text }: { readonly field: 'about_subject' | 'about_entity'; readonly text: string },
): Promise<NamedText> {
  const normal = normalisedName(text);
  const most = int(FORGET_NAMED_ENTITIES);
  const found = await reader.read(named, { ref, name: normal, most: int(FORGET_NAMED_ENTITIES + 1) });
  if (found.length > FORGET_NAMED_ENTITIES) throw tooManyNamed(`selector.${field}`);
  const base = [...new Set([text, text.toLowerCase(), ...found.map(({ id }) => id)])];
  const links = await new EntityLinkReader(reader).ofKeys(base.map((id) => entityKey(ref, id)));
  const known = new EntityLinks(links);
  const ids = new Set([...base, ...base.map((id) => known.canonicalAt(ref, id, KNOWN_NOW))]);
  const names = await reader.read(ownNames, { ref, ids: [...ids], most });
  return {
    text,
    normal,
    ids,
    names: new Set([normal, ...names.map(({ name }) => name)]),
    own_id: entityIdOf(text),
  };
}

function tooManyNamed(field: string): StrataError {
  const reason = `more than ${String(FORGET_NAMED_ENTITIES)} entities of the scope go by this name; say the id of one of them instead, or select records by \`memory_ids\``;
  return new StrataError('INVALID_BODY', `${field}: ${reason}`, { details: { field_path: field, reason } });
}
