import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

import {
  MAX_GRAPHQL_ALIASES,
  MAX_GRAPHQL_COST,
  MAX_GRAPHQL_DEPTH,
  MAX_GRAPHQL_DIRECTIVES,
  MAX_GRAPHQL_DOCUMENT_BYTES,
  MAX_GRAPHQL_ERRORS,
  MAX_GRAPHQL_TOKENS,
} from '../src/limits.ts';
import { DEPTH_FACTOR, IntrospectionCost, OBJECT_COST, SCALAR_COST } from './introspection-cost.ts';
import { aliasLengthRule, limitError, valueDepthRule, withWorstPages } from './limit-rules.ts';

/** Options of {@link validateDocument}. */
export interface ValidationOptions {
  /** Whether the schema may be asked for; default false. */
  readonly introspection?: boolean;
}

/**
 * Parses a document. Throws a GraphQLError: `INVALID_QUERY` for one of too many bytes, tokens or levels,
 * `GRAPHQL_PARSE_FAILED` for one that is no GraphQL.
 */
export function parseDocument(text: string): DocumentNode {
  if (Buffer.byteLength(text) > MAX_GRAPHQL_DOCUMENT_BYTES) {
    const message = `the document exceeds ${MAX_GRAPHQL_DOCUMENT_BYTES} bytes; send what is large as variables`;
    throw limitError('document_bytes', MAX_GRAPHQL_DOCUMENT_BYTES, message);
  }
  try {
    return parse(text, { maxLexicalTokens: MAX_GRAPHQL_TOKENS });
  } catch (error) {
    throw parseError(error);
  }
}

function parseError(error: unknown): unknown {
  // The parser descends by recursion: a document of nothing but brackets exhausts the stack before the tokens.
  if (isStackExhausted(error)) return tooDeep();
  if (!(error instanceof GraphQLError)) return error;
  if (error.message.includes(`more that ${MAX_GRAPHQL_TOKENS} tokens`)) {
    return limitError(
      'tokens',
      MAX_GRAPHQL_TOKENS,
      `the document has more than ${MAX_GRAPHQL_TOKENS} tokens`,
    );
  }
  const { message, source, positions } = error;
  return new GraphQLError(message, {
    ...(source ? { source } : {}),
    ...(positions ? { positions } : {}),
    extensions: { code: 'GRAPHQL_PARSE_FAILED' },
  });
}

function isStackExhausted(error: unknown): boolean {
  return (error as { name?: string }).name === 'RangeError';
}

function tooDeep(): GraphQLError {
  return limitError('depth', MAX_GRAPHQL_DEPTH, 'the document is nested too deeply');
}

interface OperationVisitor {
  onOperationDefinitionEnter(operation: OperationDefinitionNode): void;
}

/** A rule of the armor, which throws, as one that reports like every other. */
function reporting(
  reason: string,
  limit: number,
  rule: (context: ValidationContext) => OperationVisitor,
): ValidationRule {
  return (context) => {
    const visitor = rule(context);
    return {
      OperationDefinition: (node) => {
        try {
          visitor.onOperationDefinitionEnter(node);
        } catch (error) {
          if (!(error instanceof GraphQLError)) throw error;
          context.reportError(limitError(reason, limit, error.message.replace(/^Syntax Error: /, '')));
        }
      },
    };
  };
}

const LIMITS: readonly ValidationRule[] = [
  reporting('depth', MAX_GRAPHQL_DEPTH, maxDepthRule({ n: MAX_GRAPHQL_DEPTH, flattenFragments: true })),
  reporting('aliases', MAX_GRAPHQL_ALIASES, maxAliasesRule({ n: MAX_GRAPHQL_ALIASES, allowList: [] })),
  reporting('directives', MAX_GRAPHQL_DIRECTIVES, maxDirectivesRule({ n: MAX_GRAPHQL_DIRECTIVES })),
  valueDepthRule,
  aliasLengthRule,
];

/** Judges a document of `withWorstPages`. */
const COST: readonly ValidationRule[] = [
  reporting(
    'cost',
    MAX_GRAPHQL_COST,
    costLimitRule({
      maxCost: MAX_GRAPHQL_COST,
      objectCost: OBJECT_COST,
      scalarCost: SCALAR_COST,
      depthCostFactor: DEPTH_FACTOR,
      flattenFragments: true,
    }),
  ),
];

/**
 * What is wrong with a document; empty when it may be executed. The limits come first, so that no other rule has to look at
 * a document of any size. Never throws.
 */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: ValidationOptions = {},
): readonly GraphQLError[] {
  try {
    return faultsOf(schema, document, options);
  } catch (error) {
    // Some rules of the language descend by recursion, too.
    if (isStackExhausted(error)) return [tooDeep()];
    throw error;
  }
}

function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: ValidationOptions,
): readonly GraphQLError[] {
  const exceeded = validate(schema, document, LIMITS, { maxErrors: MAX_GRAPHQL_ERRORS });
  if (exceeded.length > 0) return exceeded;
  const asked = options.introspection === true ? new IntrospectionCost(schema, document) : undefined;
  const dear = validate(schema, withWorstPages(document, asked), COST, { maxErrors: MAX_GRAPHQL_ERRORS });
  if (dear.length > 0) return dear;
  const rules =
    options.introspection === true ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  return validate(schema, document, rules, { maxErrors: MAX_GRAPHQL_ERRORS }).map(invalid);
}

function invalid(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    ...(error.nodes ? { nodes: error.nodes } : {}),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
}
