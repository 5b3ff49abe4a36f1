import { IdSet } from './id-set.ts';
import type { ExportGraph } from './graph.ts';
import { NAMESPACES } from './iri.ts';
import {
  aboutStatement,
  EDGE_KINDS,
  edgeStatements,
  NODE_KINDS,
  nodeStatements,
  PROV_KINDS,
  type ProvKind,
  type ProvStatement,
  type ProvValue,
} from './prov.ts';
import { separated, writable } from './text.ts';

/** PROV-JSON: the statements of each kind together, so that the graph is gone over once for each kind. */
export async function* writeProvJson(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  yield `{"prefix":${JSON.stringify(NAMESPACES)}`;
  for (const kind of NODE_KINDS) {
    const first = kind === 'entity' ? [aboutStatement(about)] : [];
    yield* sectionOf(kind, statementsOf(kind, first, graph.nodes(), nodeStatements));
  }
  for (const kind of EDGE_KINDS)
    yield* sectionOf(kind, statementsOf(kind, [], graph.edges(), edgeStatements));
  yield '}\n';
}

/** The statements of one kind, each agent once. */
async function* statementsOf<T>(
  kind: ProvKind,
  first: readonly ProvStatement[],
  batches: AsyncIterable<readonly T[]>,
  made: (item: T) => ProvStatement[],
): AsyncGenerator<readonly ProvStatement[]> {
  yield first;
  const agents = new IdSet();
  for await (const batch of batches)
    yield batch
      .flatMap(made)
      .filter((one) => one.kind === kind && (kind !== 'agent' || agents.add(one.id ?? '')));
}

/** A section, and nothing for one without statements. */
async function* sectionOf(
  kind: ProvKind,
  statements: AsyncIterable<readonly ProvStatement[]>,
): AsyncGenerator<string> {
  let next = 0;
  const textOf = (one: ProvStatement): string =>
    `${JSON.stringify(one.id ?? `_:${kind}${next++}`)}:${JSON.stringify(bodyOf(one))}`;
  for await (const piece of opened(separated(statements, ',\n', textOf), `,\n"${kind}":{\n`, '}'))
    yield piece;
}

/** A text between two others; nothing where there is none. */
async function* opened(
  pieces: AsyncIterable<string>,
  before: string,
  behind: string,
): AsyncGenerator<string> {
  let open = false;
  for await (const piece of pieces) {
    yield open ? piece : before + piece;
    open = true;
  }
  if (open) yield behind;
}

type JsonValue = string | { readonly $: string; readonly type: string };

function bodyOf({ kind, of, attributes }: ProvStatement): Record<string, JsonValue | JsonValue[]> {
  const named = PROV_KINDS[kind].flatMap((name, i): [string, string][] => {
    const value = of[i] ?? null;
    return value === null ? [] : [[name, value]];
  });
  const said = new Map<string, JsonValue[]>();
  for (const [name, value] of attributes) said.set(name, [...(said.get(name) ?? []), valueOf(value)]);
  return Object.fromEntries([
    ...named,
    ...[...said].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values] as const),
  ]);
}

function valueOf({ is, value }: ProvValue): JsonValue {
  switch (is) {
    case 'text':
      return writable(value);
    case 'instant':
      return { $: value, type: 'xsd:dateTime' };
    case 'name':
      return { $: value, type: 'prov:QUALIFIED_NAME' };
    case 'integer':
      return { $: String(value), type: 'xsd:int' };
    case 'number':
      return { $: String(value), type: 'xsd:double' };
    case 'flag':
      return { $: String(value), type: 'xsd:boolean' };
  }
}
