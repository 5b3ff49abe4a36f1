import { executableSchema } from '../../../resolvers/schema.ts';
import { NAMES } from '../../../resolvers/names.ts';
import { OPERATION_IDS, operationOf } from '../../../schemas/operation.ts';
import { withAsOf } from '../../support/graphql/as-of.ts';
import type { BadCase } from '../bad-input/case.ts';

type Json = Record<string, any>;

/** An operation with its variables. */
export interface GraphqlOperation {
  readonly query: string;
  readonly variables: Json;
}

const KINDS = ['message', 'text', 'json', 'blob_ref', 'triple'];
/** Fields whose value is the caller's own. */
const OPAQUE = new Set(['metadata', 'source', 'location', 'data', 'value']);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A REST envelope as the input of `capture`; null when GraphQL has no way to say it. */
export function envelopeAsInput(envelope: Json): Json | null {
  const input: Json = {};
  for (const [name, value] of Object.entries(envelope)) {
    // A name of GraphQL is unknown on REST and right here.
    if (NAMES.wire(name) !== name) return null;
    const mapped = valueAsInput(name, value);
    if (mapped === UNSAYABLE) return null;
    Object.defineProperty(input, NAMES.camel(name), { value: mapped, enumerable: true });
  }
  return input;
}

const UNSAYABLE = Symbol('unsayable');

function valueAsInput(name: string, value: unknown): unknown {
  // To GraphQL null is what is left out, and one thing is a list of one.
  if (value === null || (name === 'labels' && typeof value === 'string')) return UNSAYABLE;
  if (OPAQUE.has(name)) return value;
  if (name === 'content' && isObject(value)) return contentAsInput(value);
  if ((name === 'subject' || name === 'object') && isObject(value) && isTerm(value))
    return termAsInput(value);
  if (Array.isArray(value)) return value.map((item) => valueAsInput(`${name}[]`, item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, inner]) => [NAMES.camel(key), valueAsInput(key, inner)] as const,
  );
  return entries.some(([, inner]) => inner === UNSAYABLE) ? UNSAYABLE : Object.fromEntries(entries);
}

const isTerm = ({ type }: Json): boolean => type === 'entity' || type === 'literal' || type === 'thing';

function contentAsInput(content: Json): unknown {
  const {
    kind = content.text === undefined ? undefined : content.role === undefined ? 'text' : 'message',
    ...rest
  } = content;
  if (!KINDS.includes(kind as string)) return UNSAYABLE;
  if (kind === 'triple') {
    const { triple, ...more } = rest;
    if (Object.keys(more).length > 0 || triple === undefined) return UNSAYABLE;
    const inner = valueAsInput('triple', triple);
    return inner === UNSAYABLE ? UNSAYABLE : { triple: inner };
  }
  const inner = valueAsInput(kind as string, rest);
  return inner === UNSAYABLE ? UNSAYABLE : { [NAMES.camel(kind as string)]: inner };
}

function termAsInput({ type, ...rest }: Json): unknown {
  return type === 'entity' || type === 'literal' ? { [type]: valueAsInput(type, rest) } : UNSAYABLE;
}

/** A REST request as a GraphQL operation; null when GraphQL has no way to say it. */
export function requestAsOperation({ method, path, options }: BadCase): GraphqlOperation | null {
  const url = safeUrl(path);
  if (url === null) return null;
  for (const id of OPERATION_IDS) {
    const operation = operationOf(id);
    const names = operation.path.match(/(?<=\{)\w+(?=\})/g) ?? [];
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const match = pattern.exec(url.pathname);
    if (operation.method !== method || match === null || 'reason' in operation.graphql) continue;
    const values = Object.fromEntries(names.map((name, i) => [name, match[i + 1]]));
    const body = options?.().body;
    const input =
      isObject(body) && operation.body && id !== 'cancelEvent'
        ? {
            input:
              id === 'captureExperienceBulk' ? { items: [envelopeAsInput(body)] } : envelopeAsInput(body),
          }
        : {};
    const query = queryAsArguments(url.searchParams);
    return query && operationText(operation.graphql, { ...values, ...query, ...input });
  }
  return null;
}

function safeUrl(path: string): URL | null {
  try {
    decodeURIComponent(path);
    return new URL(path, 'http://x');
  } catch (error) {
    if ((error as { name?: string }).name === 'URIError') return null;
    throw error;
  }
}

function queryAsArguments(parameters: URLSearchParams): Json | null {
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) return null;
  const renamed: Record<string, string> = { limit: 'first', cursor: 'after' };
  const named = withAsOf(Object.fromEntries(parameters));
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      renamed[name] ?? NAMES.camel(name),
      name === 'limit' && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
    ]),
  );
}

function operationText(
  { kind, field }: { kind: string; field: string },
  values: Json,
): GraphqlOperation | null {
  const schema = executableSchema();
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const definitions = root?.getFields()[field]?.args ?? [];
  const names = Object.keys(values);
  const unknown = names.filter((name) => !definitions.some((argument) => argument.name === name));
  const missing = definitions.filter(({ name, type }) => String(type).endsWith('!') && !names.includes(name));
  if (unknown.length + missing.length > 0) return null;
  const used = definitions.filter(({ name }) => names.includes(name));
  const declared = used.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const given = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${kind} ${declared === '' ? '' : `(${declared})`} { ${field}${given === '' ? '' : `(${given})`} { __typename } }`;
  return { query, variables: values };
}
