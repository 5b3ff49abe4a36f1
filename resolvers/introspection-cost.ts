import {
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

import { GRAPHQL_INTROSPECTION_WEIGHT, MAX_GRAPHQL_COST } from '../src/limits.ts';

/** Cost of a field with fields of its own, without these; see `MAX_GRAPHQL_COST`. */
export const OBJECT_COST = 2;
/** Cost of a field without fields of its own. */
export const SCALAR_COST = 1;
/** By how much a field costs more for each field that it stands in. */
export const DEPTH_FACTOR = 1.2;

/** Beyond it the weight alone makes an operation too dear. */
const MOST = MAX_GRAPHQL_COST / GRAPHQL_INTROSPECTION_WEIGHT;

/** The most that a list of the schema may hold. */
const WORST = { includeDeprecated: true };

/**
 * Tells what questions about the schema cost: as much as if they were answered, with every element that the answer would hold
 * counted. A thing that is asked for in the same words is looked at once. `Infinity` once it is more than an operation may cost.
 */
export class IntrospectionCost {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #known = new Map<SelectionSetNode, Map<unknown, number>>();
  readonly #entered = new Set<string>();
  #looked = 0;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema;
    const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((node) => [node.name.value, node]));
  }

  /** The cost of a field `__schema` or `__type`, as it counts towards that of the operation; null for any other. */
  of(node: FieldNode): number | null {
    const cost = this.#plain(node);
    return cost === null ? null : cost * GRAPHQL_INTROSPECTION_WEIGHT;
  }

  #plain(node: FieldNode): number | null {
    if (node.name.value === SchemaMetaFieldDef.name) {
      return this.#valueCost(SchemaMetaFieldDef, this.#schema, node.selectionSet);
    }
    if (node.name.value !== TypeMetaFieldDef.name) return null;
    const named = node.arguments?.find(({ name }) => name.value === 'name')?.value;
    const types = Object.values(this.#schema.getTypeMap());
    const asked = named?.kind === Kind.STRING ? types.filter(({ name }) => name === named.value) : types;
    return Math.max(0, ...asked.map((type) => this.#valueCost(TypeMetaFieldDef, type, node.selectionSet)));
  }

  #valueCost(field: GraphQLField<unknown, unknown>, value: unknown, selected?: SelectionSetNode): number {
    const type = getNamedType(field.type);
    if (isLeafType(type) || selected === undefined || !isObjectType(type)) return SCALAR_COST;
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    let cost = SCALAR_COST;
    for (const item of items) {
      if (item !== null && item !== undefined) cost += this.#objectCost(type.getFields(), item, selected);
      if (cost > MOST) return Infinity;
    }
    return cost;
  }

  #objectCost(fields: Fields, source: unknown, selected: SelectionSetNode): number {
    const known = this.#known.get(selected) ?? new Map<unknown, number>();
    this.#known.set(selected, known);
    const before = known.get(source);
    if (before !== undefined) return before;
    this.#looked += OBJECT_COST;
    if (this.#looked > MOST) return Infinity;
    const cost = OBJECT_COST + DEPTH_FACTOR * this.#selectedCost(fields, source, selected.selections);
    known.set(source, cost);
    return cost;
  }

  #selectedCost(fields: Fields, source: unknown, selections: readonly SelectionNode[]): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += this.#fieldCost(fields, source, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        cost += this.#selectedCost(fields, source, selection.selectionSet.selections);
      } else cost += this.#spreadCost(fields, source, selection.name.value);
    }
    return cost;
  }

  #fieldCost(fields: Fields, source: unknown, { name, selectionSet }: FieldNode): number {
    const field = fields[name.value];
    if (field === undefined || isLeafType(getNamedType(field.type))) return SCALAR_COST;
    const value: unknown = field.resolve?.(source, WORST, undefined, {
      schema: this.#schema,
    } as GraphQLResolveInfo);
    return this.#valueCost(field, value, selectionSet);
  }

  /** A fragment within itself costs nothing more: such a document is refused. */
  #spreadCost(fields: Fields, source: unknown, name: string): number {
    const fragment = this.#fragments.get(name);
    if (fragment === undefined || this.#entered.has(name)) return 0;
    this.#entered.add(name);
    const cost = this.#selectedCost(fields, source, fragment.selectionSet.selections);
    this.#entered.delete(name);
    return cost;
  }
}

type Fields = Readonly<Record<string, GraphQLField<unknown, unknown>>>;
