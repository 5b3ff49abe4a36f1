import { getNamedType, Kind, isInterfaceType, isObjectType, isUnionType, parse, print } from 'graphql';
import type {
  FieldNode,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';

import { executableSchema } from '../../../resolvers/schema.ts';
import { OPERATIONS, SERVED_IDS, type OperationId } from '../../../schemas/operation.ts';
import type { Client } from '../../support/client.ts';
import { GRAPHQL_ROWS } from '../../api/gate/graphql-rows.ts';
import { REST_ROWS } from '../../api/gate/rest-rows.ts';
import type { Knock } from '../../api/gate/row.ts';
import type { Things } from '../../api/gate/world.ts';
import type { Listed } from './lists.ts';
import { valuesIn, type Find } from './store-look.ts';
import { keyHeader, type World } from './world.ts';

/** Operations that are no GET and read all the same. */
const READING: ReadonlySet<OperationId> = new Set([
  'recall',
  'answer',
  'compose',
  'verifyAudit',
  'verifyErasure',
]);

/** A stream is looked at once for all worlds. */
const STREAMS: ReadonlySet<OperationId> = new Set(['streamLifecycle', 'streamGraph']);

/** How deep the fields of GraphQL are gone into: records, and what hangs on them. */
const DEPTH = 3;

/** Characters of a selection at most: an operation takes two thousand tokens. */
const SELECTION = 6000;

/** Every operation that reads, by its id: a new one is walked by itself, and does not build without a row. */
export const READS: readonly OperationId[] = SERVED_IDS.filter(
  (id) => (OPERATIONS[id].method === 'GET' || READING.has(id)) && !STREAMS.has(id),
);

/** Every field of `Query`. */
export const FIELDS: readonly string[] = Object.keys(GRAPHQL_ROWS).filter((name) =>
  name.startsWith('query '),
);

const SCHEMA: GraphQLSchema = executableSchema();

/**
 * Sets of things, so that each of those that went or changed is in one, and of each kind one that did not: of the others the store has been
 * looked through.
 */
export function thingsOf(world: World, before: Listed, after: Listed): Things[] {
  const ids = (layer: keyof Listed): string[] => {
    const was = new Map(before[layer].map((item) => [item.id as string, JSON.stringify(item)]));
    const is = new Map(after[layer].map((item) => [item.id as string, JSON.stringify(item)]));
    const all = [...new Set([...was.keys(), ...is.keys()])];
    const touched = all.filter((id) => was.get(id) !== is.get(id));
    return [...touched, ...all.filter((id) => !touched.includes(id)).slice(0, 1)];
  };
  const events = [...new Set([...world.planted, ...ids('events')])];
  const columns = {
    event: events,
    fact: ids('facts'),
    belief: ids('beliefs'),
    concept: ids('concepts'),
    episode: ids('episodes'),
    entity: ids('entities'),
    conflict: ids('conflicts'),
  };
  const count = Math.max(1, ...Object.values(columns).map((all) => all.length));
  const none = {
    frame: 'lce_0000000000000001',
    blob: 'blob_none',
    audit: 'audit_none',
    link: 'link_none',
    job: 'job_none',
    preview: 'ervw_none',
    erasure: 'ers_none',
    hold: 'none',
    vocabulary: 'leak',
    key: 'none',
  };
  return Array.from({ length: count }, (_, i) => ({
    ...none,
    ...world.things,
    ...(Object.fromEntries(
      Object.entries(columns).map(([name, all]) => [
        name,
        all[i % Math.max(1, all.length)] ?? `${name}_none`,
      ]),
    ) as Record<keyof typeof columns, string>),
  }));
}

/**
 * Asks everything that reads, by REST and by GraphQL, and finds planted values in what is answered, those of other worlds too; but nothing
 * that was `asked` before, as what is of no scope.
 */
export async function walk(world: World, all: readonly Things[], asked: Set<string>): Promise<Find[]> {
  return [...(await walkRest(world, all, asked)), ...(await walkGraphql(world, all, asked))];
}

async function walkRest(world: World, all: readonly Things[], asked: Set<string>): Promise<Find[]> {
  const finds: Find[] = [];
  for (const id of READS)
    for (const things of all)
      for (const knock of knocksOf(id, things, world)) {
        const request = JSON.stringify(knock);
        if (asked.has(request)) continue;
        asked.add(request);
        const { method, path, body, key } = knock;
        const headers = keyHeader(key);
        const { status, text, json } = await world.asked(method, path, {
          headers,
          ...(body === undefined ? {} : { body }),
        });
        if (status >= 500 && OPERATIONS[id].method === 'GET')
          throw new Error(`${path} is answered ${status} ${text}`);
        finds.push(...findsIn(json ?? text, { by: 'rest', place: id }));
      }
  return finds;
}

/** The requests of an operation: as the guard of it is tried, and where words are looked for by those of the world too. */
function knocksOf(id: OperationId, things: Things, world: World): Knock[] {
  const tried = REST_ROWS[id].knock(things, world.scope, 'operator');
  // Every format says the same; of JSON it is known in which record a value stands.
  const knock = { ...tried, path: tried.path.replace(/\bformat=[\w-]+/, 'format=cytoscape') };
  return [knock, ...(ALSO[id]?.(world, knock) ?? [])];
}

const get = (path: string): Knock => ({ method: 'GET', path });
const scopeOf = ({ scope }: World): string => `scope=${encodeURIComponent(scope)}`;

/** A request with more in its body. */
const asking = (knock: Knock, more: object): Knock => ({
  ...knock,
  body: { ...(knock.body as object), ...more },
});

/** What is asked of operations beside the request by which their guard is tried. */
const ALSO: Partial<Record<OperationId, (world: World, knock: Knock) => readonly Knock[]>> = {
  recall: ({ value }, knock) => [
    asking(knock, { query: 'Quill' }),
    asking(knock, { query: `about ${value.slice(0, -1)}` }),
    asking(knock, { query: 'Ada', include_superseded: true }),
  ],
  answer: (_, knock) => [asking(knock, { question: 'Whom does Quill admire?' })],
  listEvents: (world) => [get(`/v1/events?${scopeOf(world)}&limit=200`)],
  listFacts: (world) => [get(`/v1/facts?${scopeOf(world)}&include_superseded=1&limit=200`)],
  graph: (world) => [get(`/v1/graph?${scopeOf(world)}&include_superseded=1&limit=1000`)],
  listClaims: (world) => [
    get(`/v1/claims?${scopeOf(world)}&subject=Quill`),
    get(`/v1/claims?${scopeOf(world)}&subject=ent_ada`),
  ],
  factTimeline: (world) => [
    get(`/v1/facts/timeline?${scopeOf(world)}&subject=Quill`),
    get(`/v1/facts/timeline?${scopeOf(world)}&subject=ent_ada`),
  ],
  listLifecycle: (world) => [get(`/v1/lifecycle?${scopeOf(world)}&limit=1000`)],
};

async function walkGraphql(world: World, all: readonly Things[], asked: Set<string>): Promise<Find[]> {
  const finds: Find[] = [];
  for (const name of FIELDS)
    for (const things of all)
      for (const query of queriesOf(name, things, world)) {
        if (asked.has(query)) continue;
        asked.add(query);
        const { status, json } = await world.asked('POST', '/graphql', { body: { query } });
        const errors = (json?.errors ?? []) as { extensions?: { code?: string } }[];
        const broken = errors.find(({ extensions }) =>
          ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'INTERNAL', 'QUERY_TOO_COMPLEX'].includes(
            extensions?.code ?? 'INTERNAL',
          ),
        );
        if (status >= 500 || broken !== undefined)
          throw new Error(`${query} is answered ${JSON.stringify(json).slice(0, 400)}`);
        finds.push(...findsIn(json, { by: 'graphql', place: name }));
      }
  return finds;
}

/** The operations of a field of `Query`, with the arguments that its row has and each field of what it answers, a branch in each. */
export function queriesOf(name: string, things: Things, world: Pick<World, 'scope'>): string[] {
  const row = GRAPHQL_ROWS[name];
  if (row === undefined) throw new Error(`${name} has no row`);
  const document = parse(`{ ${row.select(things, world.scope, 'operator')} }`);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${name} selects nothing`);
  const field = definition.selectionSet.selections[0] as FieldNode;
  const type = SCHEMA.getQueryType()?.getFields()[field.name.value]?.type;
  if (type === undefined) throw new Error(`${name} is no field`);
  const args = field.arguments ?? [];
  const call = print({ ...field, arguments: args, selectionSet: undefined } as unknown as FieldNode);
  const selections = branches(getNamedType(type), DEPTH);
  return selections.length === 0
    ? [`{ ${call} }`]
    : selections.map((selection) => `{ ${call} { ${selection} } }`);
}

/** Selections that together have every field of a type, and of what hangs on it, that takes no argument which has to be given. */
export function branches(type: GraphQLNamedType, depth: number): string[] {
  // What hangs on a record by an interface is walked as a record of its own.
  if (isInterfaceType(type) && depth < DEPTH) return joined(plainOf(type));
  if (isUnionType(type) || isInterfaceType(type))
    return SCHEMA.getPossibleTypes(type).flatMap((one) =>
      branches(one, depth).map((selection) => `... on ${one.name} { ${selection} }`),
    );
  if (!isObjectType(type)) return [];
  const plain = plainOf(type);
  const nested = openFields(type).filter(({ type: of }) => hasFields(getNamedType(of)));
  // A list of records, and its pages, are one with the records.
  const below = /Connection$|Page$|Pack$|^Graph(?:Diff|Changes)$/.test(type.name) ? depth : depth - 1;
  const deeper = nested.flatMap(({ name, type: of }) =>
    below <= 0 && !isLeaf(getNamedType(of))
      ? []
      : branches(getNamedType(of), below).map((selection) => `${name} { ${selection} }`),
  );
  return joined([...plain, ...deeper]);
}

/** Selections put together, as far as one operation takes them. */
function joined(selections: readonly string[]): string[] {
  const all: string[] = [];
  for (const selection of selections) {
    const last = all.at(-1);
    if (last !== undefined && last.length + selection.length < SELECTION)
      all[all.length - 1] = `${last} ${selection}`;
    else all.push(selection);
  }
  return all;
}

function plainOf(type: GraphQLObjectType | GraphQLInterfaceType): string[] {
  return openFields(type).flatMap(({ name, type: of }) => (hasFields(getNamedType(of)) ? [] : [name]));
}

function openFields(type: GraphQLObjectType | GraphQLInterfaceType) {
  return Object.values(type.getFields()).filter(({ args }) =>
    args.every((arg) => arg.defaultValue !== undefined || !String(arg.type).endsWith('!')),
  );
}

/** Whether nothing hangs on a type. */
function isLeaf(type: GraphQLNamedType): boolean {
  return isObjectType(type) && plainOf(type).length === openFields(type).length;
}

function hasFields(type: GraphQLNamedType): boolean {
  return isObjectType(type) || isInterfaceType(type) || isUnionType(type);
}

/** Fields that say of which record something is, by either transport. */
const IDS = [
  'id',
  'event_id',
  'eventId',
  'fact_id',
  'factId',
  'belief_id',
  'beliefId',
  'concept_id',
  'conceptId',
];

/** The planted values of a JSON value, each with the path to it and the ids of what it stands in. */
export function findsIn(
  value: unknown,
  at: Pick<Find, 'by' | 'place'>,
  path = '',
  within: readonly string[] = [],
): Find[] {
  if (typeof value === 'string')
    return valuesIn(value).map((one) => ({ ...at, value: one, place: `${at.place}${path}`, within }));
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => findsIn(one, at, `${path}[]`, within));
  const ids = IDS.flatMap((key) => {
    const id = (value as Record<string, unknown>)[key];
    return typeof id === 'string' ? [id] : [];
  });
  const inside = [...within, ...ids];
  return Object.entries(value).flatMap(([key, one]) => [
    ...valuesIn(key).map((found): Find => ({
      ...at,
      value: found,
      place: `${at.place}${path}.*`,
      within: inside,
    })),
    ...findsIn(one, at, `${path}.${valuesIn(key).length > 0 ? '*' : key}`, inside),
  ]);
}

/** Frames of a tenant from the first one on, as they are listed: what streams print. */
export async function framesOf(client: Client): Promise<Find[]> {
  const finds: Find[] = [];
  for (let offset = 0; ;) {
    const { json } = await client.get(`/v1/lifecycle?limit=1000&offset=${offset}`);
    finds.push(...findsIn(json.items, { by: 'stream', place: 'frames' }));
    if (json.has_more !== true) return finds;
    offset = json.next_offset as number;
  }
}
