import neo4j, {
  type Date,
  type DateTime,
  type Duration,
  type LocalDateTime,
  type LocalTime,
  type Point,
  type Time,
} from 'neo4j-driver';

/** Whether a value is a date, a time, a duration or a point of the database; each says by its text what it is. */
function isOwnText(
  value: object,
): value is DateTime | LocalDateTime | Date | Time | LocalTime | Duration | Point {
  const kinds = [
    neo4j.isDateTime,
    neo4j.isLocalDateTime,
    neo4j.isDate,
    neo4j.isTime,
    neo4j.isLocalTime,
    neo4j.isDuration,
    neo4j.isPoint,
  ];
  return kinds.some((is) => is(value));
}

/**
 * A stored value as a text that is the same for the same value of the same type, and for no other; what the driver reads without loss goes
 * in. Throws on what no property can be.
 */
export function canonicalValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  // Text of a number does not tell 0 from -0, and a property keeps which it is.
  if (typeof value === 'number') return Object.is(value, -0) ? 'f-0' : `f${value}`;
  if (neo4j.isInt(value)) return `i${value.toString()}`;
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join()}]`;
  if (value instanceof Int8Array) return `b${Buffer.from(value).toString('base64')}`;
  if (typeof value === 'object' && value !== null && isOwnText(value))
    return `${value.constructor.name}(${value.toString()})`;
  throw new TypeError(`a stored value of type ${typeof value} is not known`);
}

/** The properties of a node or an edge as one text, whatever their order. */
export function canonicalProperties(properties: Readonly<Record<string, unknown>>): string {
  return Object.keys(properties)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalValue(properties[name])}`)
    .join();
}
