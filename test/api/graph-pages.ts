import type { Client } from '../support/client.ts';

/** Nodes and edges as the interface answers them. */
export interface Graph {
  readonly nodes: readonly any[];
  readonly edges: readonly any[];
}

type Headers = Record<string, string | null>;

async function read(client: Client, path: string, headers: Headers): Promise<any> {
  const { status, json, text } = await client.get(path, { headers });
  if (status !== 200) throw new Error(text);
  return json;
}

/** All pages of a listing, one behind the other. */
async function pagesOf(client: Client, path: string, headers: Headers): Promise<any[]> {
  const pages = [];
  for (let cursor = ''; ;) {
    const page = await read(client, path + cursor, headers);
    pages.push(page);
    if (!page.has_more) return pages;
    cursor = `&cursor=${page.next_cursor as string}`;
  }
}

/** The items of all pages of a listing. */
export async function allOf(client: Client, path: string): Promise<any[]> {
  return (await pagesOf(client, path, {})).flatMap(({ items }) => items);
}

/** A graph from all of its pages, each node once. */
export async function graphOf(client: Client, query: string, headers: Headers = {}): Promise<Graph> {
  const pages = await pagesOf(client, `/v1/graph?${query}`, headers);
  const nodes = new Map(pages.flatMap((page) => page.nodes.map((node: any) => [node.id, node])));
  return { nodes: [...nodes.values()], edges: pages.flatMap(({ edges }) => edges) };
}

/** All pages of what the graph of a scope has become. */
export function diffOf(client: Client, query: string): Promise<any[]> {
  return pagesOf(client, `/v1/graph/diff?${query}`, {});
}

const keyOf = ({ from, to, type, relation, polarity }: any): string =>
  JSON.stringify([from, to, type, relation, polarity]);

/**
 * A graph that differences were applied to: what is no record of the scope goes with the last edge to it, and that an entity is linked with
 * another goes with the entity.
 */
export function applied({ nodes, edges }: Graph, pages: readonly any[], scope: string): Graph {
  const byId = new Map(nodes.map((node) => [node.id as string, node]));
  const byKey = new Map(edges.map((edge) => [keyOf(edge), edge]));
  for (const { appeared, gone, changed } of pages) {
    for (const { id } of gone.nodes) byId.delete(id);
    for (const edge of gone.edges) byKey.delete(keyOf(edge));
    for (const node of appeared.nodes) byId.set(node.id, node);
    for (const edge of appeared.edges) byKey.set(keyOf(edge), edge);
    for (const { after } of changed.nodes) byId.set(after.id, after);
    for (const { after } of changed.edges) byKey.set(keyOf(after), after);
  }
  const own = new Set([...byKey.values()].filter(({ type }) => type !== 'SAME_AS').flatMap(endsOf));
  const left = [...byKey.values()].filter(({ type, from }) => type !== 'SAME_AS' || own.has(from));
  const needed = new Set(left.flatMap(endsOf));
  const stays = ({ id, type, scope: of }: any): boolean =>
    (type !== 'entity' && of === scope) || needed.has(id);
  return { nodes: [...byId.values()].filter(stays), edges: left };
}

function endsOf({ from, to }: any): string[] {
  return [from, to];
}

/** A graph as texts in order, without how many edges an answer left out. */
export function textsOf({ nodes, edges }: Graph): { nodes: string[]; edges: string[] } {
  return {
    nodes: nodes.map(({ more: _, ...node }) => JSON.stringify(node)).sort(),
    edges: edges.map((edge) => JSON.stringify(edge)).sort(),
  };
}

/** What a reader has who keeps a graph up to date. */
export class FollowedGraph {
  private nodes = new Map<string, any>();
  private edges = new Map<string, any>();
  private readonly scope: string;
  private readonly read: () => Promise<Graph>;

  /** `read` reads the graph anew. */
  constructor(scope: string, read: () => Promise<Graph>) {
    this.scope = scope;
    this.read = read;
  }

  /** Takes a change in; answers whether the graph was to be read anew for it. */
  async take({ nodes, edges, gone, read_again }: any): Promise<boolean> {
    if (read_again === true) {
      const graph = await this.read();
      this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
      this.edges = new Map(graph.edges.map((edge) => [keyOf(edge), edge]));
      return true;
    }
    const left = new Set<string>(gone);
    const own = new Set(nodes.filter((node: any) => this.isOwn(node)).map(({ id }: any) => id));
    for (const id of left) this.nodes.delete(id);
    for (const [key, { from, to }] of this.edges)
      if (left.has(from) || left.has(to) || own.has(from)) this.edges.delete(key);
    for (const node of nodes) this.nodes.set(node.id, node);
    for (const edge of edges) this.edges.set(keyOf(edge), edge);
    return false;
  }

  /** The graph without edges that lack an end, and without entities and records of other scopes that no edge needs. */
  get graph(): Graph {
    const found = [...this.edges.values()].filter(
      ({ from, to }) => this.nodes.has(from) && this.nodes.has(to),
    );
    return applied({ nodes: [...this.nodes.values()], edges: found }, [], this.scope);
  }

  private isOwn({ type, scope }: any): boolean {
    return type !== 'entity' && scope === this.scope;
  }
}
