import { OPEN } from '../instant.ts';

const SEEK =
  'MATCH (m:EntityName) USING INDEX SEEK m:EntityName(entity_key, recorded_at, position, normalised_name)';
/** A form `m` that was known at `$recorded`, of the entity whose key follows. */
const KNOWN_FORM = `${SEEK}
       WHERE m.recorded_at <= $recorded AND m.position >= 0 AND m.normalised_name >= '' AND m.entity_key =`;
/** The order of the forms `m` of an entity: the one that was learned last comes first. */
const NEWEST_FIRST = 'm.entity_key DESC, m.recorded_at DESC, m.position DESC, m.normalised_name DESC';
const NEWEST_NAME = `AND m.given
       WITH m ORDER BY ${NEWEST_FIRST} LIMIT 1
       RETURN m.name`;

/** The names of the subject and the object of the fact `f` that were learned last by `$recorded`; null where none was. */
export const FACT_NAMES = `subject_name: coalesce(head(COLLECT { ${KNOWN_FORM} f.scope_ref + ' ' + f.subject_id ${NEWEST_NAME} }), f.subject_name),
     object_name: head(COLLECT { ${KNOWN_FORM} f.scope_ref + ' ' + f.object_id ${NEWEST_NAME} })`;

/** The same of the belief `b`. */
export const BELIEF_NAMES = `subject_name: coalesce(head(COLLECT { ${KNOWN_FORM} b.scope_ref + ' ' + b.subject_id ${NEWEST_NAME} }), b.subject_name),
     object_name: head(COLLECT { ${KNOWN_FORM} b.scope_ref + ' ' + b.object_id ${NEWEST_NAME} })`;

/** The same of the object of the statement `s`. */
export const OBJECT_NAME = `object_name: head(COLLECT { ${KNOWN_FORM} s.scope_ref + ' ' + s.object_id ${NEWEST_NAME} })`;

/** The same of what the concept `c` is about. */
export const CONCEPT_CAPTION = `caption: head(COLLECT { ${KNOWN_FORM} c.scope_ref + ' ' + c.entity_id ${NEWEST_NAME} })`;

/** The newest `$names` forms under which the entity `n` was known at `$recorded`. */
export const NAMES = `COLLECT {
       ${KNOWN_FORM} n.key
       WITH m ORDER BY ${NEWEST_FIRST} LIMIT $names
       RETURN m {.name, .normalised_name, .position} }`;

/** The name of the entity `n` that was learned last. */
const LAST_NAME = `head(COLLECT {
       ${SEEK}
       WHERE m.entity_key = n.key AND m.recorded_at <= ${OPEN} AND m.position >= 0 AND m.normalised_name >= ''
       ${NEWEST_NAME} })`;

/**
 * Keeps the form in which the statement `s` names the entity `n` (`named`, a map of its row), and what `n` is called. Here and below rows
 * are counted before the name is looked up, since a row that is passed on at once is looked up before the names of the next one are kept.
 */
export const KEEP_NAME = `MERGE (m:EntityName {entity_key: n.key, given: named.name IS NOT NULL, normalised_name: named.normalised_name})
         ON CREATE SET m += $levels[s.scope_ref], m.id = n.id, m.tenant = s.tenant, m.scope = s.scope, m.scope_ref = s.scope_ref,
           m.name = named.name, m.position = s.position, m.recorded_at = s.recorded_at
       MERGE (n)-[:KNOWN_AS]->(m)
       FOREACH (earlier IN CASE WHEN m.position > s.position OR (m.position = s.position AND m.name > named.name) THEN [m] ELSE [] END |
         SET earlier.name = named.name, earlier.position = s.position, earlier.recorded_at = s.recorded_at)
       WITH n, count(CASE WHEN m.given AND m.position = s.position THEN 1 END) AS changed WHERE changed > 0
       SET n.name = ${LAST_NAME}`;

/**
 * Keeps of the names of an entity `n` those that are left: `names` are maps of what is said still, `first` of each being place, name and
 * instant of who says it first.
 */
export const KEEP_LEFT_NAMES = `MATCH (n)-[:KNOWN_AS]->(m:EntityName)
         WITH n, m, head([one IN names WHERE one.given = m.given AND one.normal = m.normalised_name | one.first]) AS first
         SET m.position = first[0], m.name = CASE WHEN m.given THEN first[1] END, m.recorded_at = first[2]
         FOREACH (gone IN CASE WHEN first IS NULL THEN [m] ELSE [] END | DETACH DELETE gone)
         WITH n, count(*) AS counted
         SET n.name = coalesce(${LAST_NAME}, n.id)`;
