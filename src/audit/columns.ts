/**
 * Records of which most fields are alike, as text: what all have in common once, and each other field as a column. Values of a
 * column that differ only in hexadecimal digits at their end (ids, hashes) are written as the bytes of these.
 */
interface Packed {
  readonly count: number;
  readonly same: Readonly<Record<string, unknown>>;
  readonly each: Readonly<Record<string, readonly unknown[] | HexColumn>>;
}

interface HexColumn {
  /** What all values begin with. */
  readonly begin: string;
  /** Base64 of the digits of all of them, one after the other. */
  readonly bytes: string;
}

/** Fields of records: those that all have in common, and the values of each other one. */
export interface Columns {
  readonly count: number;
  readonly same: ReadonlyMap<string, unknown>;
  readonly each: ReadonlyMap<string, readonly unknown[]>;
}

const NOTHING: Columns = { count: 0, same: new Map(), each: new Map() };
const HEX = /^[0-9a-f]*$/;

/** The text of records that have the same fields. */
export function packed(records: readonly object[]): string {
  const [first = {}] = records;
  const same: Record<string, unknown> = {};
  const each: Record<string, readonly unknown[] | HexColumn> = {};
  for (const [name, value] of Object.entries(first)) {
    const column = records.map((record) => (record as Record<string, unknown>)[name]);
    if (column.every((other) => other === value)) same[name] = value;
    else each[name] = hexColumn(column) ?? column;
  }
  return JSON.stringify({ count: records.length, same, each } satisfies Packed);
}

/** What a text was made of; of one that is none, or of more records than allowed, nothing. */
export function unpacked(text: string, maxCount: number): Columns {
  const found = parsed(text);
  if (found === null || !isRecord(found.same) || !isRecord(found.each)) return NOTHING;
  const { count, same, each } = found as unknown as Packed;
  if (!Number.isInteger(count) || count < 0 || count > maxCount) return NOTHING;
  const columns = Object.entries(each).map(([name, column]) => [name, valuesOf(column, count)] as const);
  return { count, same: new Map(Object.entries(same)), each: new Map(columns) };
}

function hexColumn(values: readonly unknown[]): HexColumn | null {
  const [first] = values;
  if (typeof first !== 'string') return null;
  let begin = first.length;
  for (const value of values) {
    if (typeof value !== 'string' || value.length !== first.length) return null;
    let alike = 0;
    while (alike < begin && value.charCodeAt(alike) === first.charCodeAt(alike)) alike += 1;
    begin = alike;
  }
  // Two digits are a byte.
  begin -= (first.length - begin) % 2;
  if (begin < 0) return null;
  const digits = (values as readonly string[]).map((value) => value.slice(begin)).join('');
  if (!HEX.test(digits)) return null;
  return { begin: first.slice(0, begin), bytes: Buffer.from(digits, 'hex').toString('base64') };
}

function valuesOf(column: unknown, count: number): readonly unknown[] {
  if (Array.isArray(column)) return column as readonly unknown[];
  const { begin, bytes } = column as Partial<HexColumn>;
  if (typeof begin !== 'string' || typeof bytes !== 'string') return [];
  const digits = Buffer.from(bytes, 'base64').toString('hex');
  const width = Math.floor(digits.length / count);
  return Array.from(
    { length: count },
    (_, place) => begin + digits.slice(place * width, (place + 1) * width),
  );
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? found : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as { name?: string }).name === 'SyntaxError') return null;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
