import { readdirSync, readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  getNamedType,
  isLeafType,
  isObjectType,
  isScalarType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';

import { BELIEF_RESOLVERS } from './belief.ts';
import { BLOB_RESOLVERS } from './blob.ts';
import { AUDIT_RESOLVERS } from './audit.ts';
import type { GraphqlContext } from './context.ts';
import { CLAIM_RESOLVERS } from './claim.ts';
import { CONCEPT_RESOLVERS } from './concept.ts';
import { ANSWER_RESOLVERS } from './answer.ts';
import { RECALL_RESOLVERS } from './recall.ts';
import { CONFLICT_RESOLVERS } from './conflict.ts';
import { DERIVATION_RESOLVERS } from './derivation.ts';
import { ENTITY_RESOLVERS } from './entity.ts';
import { EPISODE_RESOLVERS } from './episode.ts';
import { ERASURE_RESOLVERS } from './erasure.ts';
import { EVENT_RESOLVERS } from './event.ts';
import { EXPERIENCE_RESOLVERS } from './experience.ts';
import { FACT_RESOLVERS } from './fact.ts';
import type { ResolverMap } from './field.ts';
import { FORGET_RESOLVERS } from './forget.ts';
import { GRAPH_RESOLVERS, GRAPH_SUBSCRIPTION } from './graph.ts';
import { LEGAL_HOLD_RESOLVERS } from './legal-hold.ts';
import { HEALTH_RESOLVERS } from './health.ts';
import { LIFECYCLE_RESOLVERS, LIFECYCLE_SUBSCRIPTION } from './lifecycle.ts';
import { NAMES } from './names.ts';
import { POLICY_RESOLVERS } from './policy.ts';
import { REBUILD_RESOLVERS } from './rebuild.ts';
import { DATE_TIME, JSON_SCALAR, SAFE_INT } from './scalars.ts';
import { PROVENANCE_RESOLVERS } from './provenance.ts';
import { typeOfRecord } from './record.ts';
import { SCOPE_RESOLVERS } from './scope.ts';
import { RETENTION_RESOLVERS } from './retention.ts';
import { SUPPRESSION_RESOLVERS } from './suppression.ts';
import { TEMPORAL_PHRASE_RESOLVERS } from './temporal-phrase.ts';
import { TOKEN_RESOLVERS } from './token.ts';
import { USAGE_RESOLVERS } from './usage.ts';
import { VOCABULARY_RESOLVERS } from './vocabulary.ts';

export type { GraphQLSchema } from 'graphql';

const FOLDER = new URL('../schemas/graphql/', import.meta.url);

/** The GraphQL contract as text. */
export function schemaText(): string {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort();
  return files.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
}

let built: GraphQLSchema | null = null;

/** The schema with its resolvers, built once from `schemas/graphql/*.graphql`. */
export function executableSchema(): GraphQLSchema {
  built ??= build();
  return built;
}

function build(): GraphQLSchema {
  const nouns: ResolverMap[] = [
    EVENT_RESOLVERS,
    EPISODE_RESOLVERS,
    EXPERIENCE_RESOLVERS,
    FACT_RESOLVERS,
    ENTITY_RESOLVERS,
    BELIEF_RESOLVERS,
    CONCEPT_RESOLVERS,
    RECALL_RESOLVERS,
    ANSWER_RESOLVERS,
    PROVENANCE_RESOLVERS,
    GRAPH_RESOLVERS,
    LIFECYCLE_RESOLVERS,
    DERIVATION_RESOLVERS,
    CONFLICT_RESOLVERS,
    CLAIM_RESOLVERS,
    REBUILD_RESOLVERS,
    FORGET_RESOLVERS,
    ERASURE_RESOLVERS,
    LEGAL_HOLD_RESOLVERS,
    SUPPRESSION_RESOLVERS,
    RETENTION_RESOLVERS,
    TEMPORAL_PHRASE_RESOLVERS,
    VOCABULARY_RESOLVERS,
    SCOPE_RESOLVERS,
    POLICY_RESOLVERS,
    TOKEN_RESOLVERS,
    HEALTH_RESOLVERS,
    BLOB_RESOLVERS,
    AUDIT_RESOLVERS,
    USAGE_RESOLVERS,
  ];
  const schema = makeExecutableSchema({
    typeDefs: schemaText(),
    resolvers: [...nouns, LIFECYCLE_SUBSCRIPTION, GRAPH_SUBSCRIPTION, SCALARS, ALTERNATIVES],
  });
  for (const type of Object.values(schema.getTypeMap())) {
    // The library takes a scalar as it is written, without what the contract says of it.
    if (isScalarType(type)) type.description ??= type.astNode?.description?.value;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = (field.resolve ?? wireField(field.name)) as FieldResolver;
      field.resolve = isLeafType(getNamedType(field.type)) ? printed(resolve) : named(resolve);
    }
    if (RECORDS.has(type.name)) type.isTypeOf = beginsRecord;
  }
  return schema;
}

const SCALARS = { JSON: JSON_SCALAR, DateTime: DATE_TIME, SafeInt: SAFE_INT };

/** Types of which an answer may hold thousands. */
const RECORDS: ReadonlySet<string> = new Set([
  'Event',
  'Fact',
  'Episode',
  'Belief',
  'Concept',
  'LifecycleFrame',
  'AuditRow',
]);

type FieldResolver = NonNullable<GraphQLField<unknown, GraphqlContext>['resolve']>;

/** Ends an answer that has become too large at its next record, not only in each of the fields that are left. */
function beginsRecord(_source: unknown, { budget }: GraphqlContext): boolean {
  budget.beginRecord();
  return true;
}

/** A field with fields of its own, which counts by its name in the answer. */
function named(resolve: FieldResolver): FieldResolver {
  return (source, args, context, info) => {
    context.budget.print(String(info.path.key), null);
    return resolve(source, args, context, info);
  };
}

/** A leaf, which counts by its name and its value. */
function printed(resolve: FieldResolver): FieldResolver {
  return (source, args, context, info) => {
    const value = resolve(source, args, context, info);
    context.budget.print(String(info.path.key), value);
    return value;
  };
}

/** The object type behind an alternative of an interface, by its discriminator. */
const ALTERNATIVES = {
  Content: { __resolveType: ({ kind }: { kind: string }) => `${pascal(kind)}Content` },
  MemoryRecord: { __resolveType: typeOfRecord },
  Term: { __resolveType: ({ type }: { type: string }) => `${pascal(type)}Term` },
};

function pascal(name: string): string {
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** Reads a field under its wire name; one thing of a field that may hold several is a list of one. */
function wireField(name: string): GraphQLFieldResolver<Readonly<Record<string, unknown>>, unknown> {
  const wire = NAMES.wire(name);
  if (!NAMES.isOneOrMany(wire)) return (source) => source[wire];
  return ({ [wire]: value }) => (value === undefined || Array.isArray(value) ? value : [value]);
}
