import neo4j from 'neo4j-driver';

/**
 * A value as the driver gives it, as JSON can say it: whole numbers that a double does not hold, instants, durations and points as their
 * text; nodes, edges and paths as objects; bytes as base64.
 */
export function plainValue(value: unknown): unknown {
  if (neo4j.isInt(value)) return value.inSafeRange() ? value.toNumber() : value.toString();
  if (typeof value === 'bigint') return value.toString();
  // JSON has no word for them.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof Uint8Array || value instanceof Int8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (neo4j.isNode(value)) return { labels: value.labels, properties: plainFields(value.properties) };
  if (neo4j.isRelationship(value)) return { type: value.type, properties: plainFields(value.properties) };
  if (neo4j.isPath(value)) return plainPath(value);
  return Object.getPrototypeOf(value) === Object.prototype
    ? plainFields(value)
    : (value as { toString(): string }).toString();
}

function plainFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]));
}

/** Nodes and edges by turns, as the path goes; an edge that it goes against its direction says so. */
function plainPath({ start, segments }: InstanceType<typeof neo4j.types.Path>): unknown[] {
  return [
    plainValue(start),
    ...segments.flatMap(({ start: from, relationship, end }) => {
      const edge = plainValue(relationship) as object;
      const isAgainst = relationship.startNodeElementId !== from.elementId;
      return [isAgainst ? { ...edge, against: true } : edge, plainValue(end)];
    }),
  ];
}
