import { z } from 'zod';

import { isJsonObject } from './json.ts';
import { instantOrDate } from './time.ts';

/** Values of one condition at most: what an application asks for by hand, with room. */
export const MAX_FILTER_VALUES = 100;
/** Values of all conditions of a tree together at most: as many as the short form has at most; each is a part of the query to the index. */
export const MAX_FILTER_TREE_VALUES = 500;
/** Conditions of one filter at most; each is a part of the query to the index. */
export const MAX_FILTER_CONDITIONS = 64;
/** Levels of a filter at most. */
export const MAX_FILTER_DEPTH = 8;

/** Fields of an event that a filter compares with texts. */
export const FILTER_TEXT_FIELDS = [
  'labels',
  'observed_actor',
  'modality',
  'intent',
  'caller',
  'subject',
  'language',
] as const;
export type FilterTextField = (typeof FILTER_TEXT_FIELDS)[number];

/** Fields of an event that a filter compares with instants. */
export const FILTER_TIME_FIELDS = ['observed_at', 'recorded_at'] as const;
export type FilterTimeField = (typeof FILTER_TIME_FIELDS)[number];

/** Keys of the short form. */
const METADATA_KEYS = ['labels', 'observed_actor', 'modality', 'intent', 'caller'] as const;

const value = z.string().min(1).max(1024);
const values = z.array(value).max(MAX_FILTER_VALUES);
const oneOrMany = z
  .union([value, values])
  .describe('A value, or a list of at most 100 of which any matches; an empty list matches nothing.');

const metadata = z
  .strictObject({
    labels: oneOrMany.optional(),
    observed_actor: oneOrMany.optional(),
    modality: oneOrMany.optional(),
    intent: oneOrMany.optional(),
    caller: oneOrMany.optional(),
  })
  .describe('What events have to have; every key that is named has to match.');

const textTest = z
  .strictObject({
    eq: value.optional().describe('The value itself; of labels one of them.'),
    in: values.optional().describe('Any of at most 100 values.'),
    exists: z.boolean().optional().describe('Whether there is a value at all.'),
  })
  .refine((test) => Object.values(test).some((one) => one !== undefined), 'compares with nothing')
  .meta({ minProperties: 1 });

const timeTest = z
  .strictObject({
    gte: instantOrDate.optional().describe('Not before this instant.'),
    lte: instantOrDate.optional().describe('Not after this instant.'),
  })
  .refine((test) => Object.values(test).some((one) => one !== undefined), 'compares with nothing')
  .meta({ minProperties: 1 });

const leaf = z
  .strictObject({
    labels: textTest.optional(),
    observed_actor: textTest.optional(),
    modality: textTest.optional(),
    intent: textTest.optional(),
    caller: textTest.optional(),
    subject: textTest.optional(),
    language: textTest.optional(),
    observed_at: timeTest.optional(),
    recorded_at: timeTest.optional(),
  })
  .refine((fields) => Object.values(fields).some((one) => one !== undefined), 'names no field')
  .meta({ minProperties: 1 });

/** A comparison of fields, of which all have to hold. */
export type FilterLeaf = z.output<typeof leaf>;
/** A tree of comparisons. */
export type FilterNode =
  | { readonly AND: readonly FilterNode[] }
  | { readonly OR: readonly FilterNode[] }
  | FilterLeaf;

/** The branches of a tree, over the nodes that may stand in them. */
function branchesOver<T>(child: z.ZodType<T>) {
  const branches = z.array(child).min(1).max(MAX_FILTER_CONDITIONS);
  return {
    and: z.strictObject({ AND: branches.describe('All of these have to hold.') }),
    or: z.strictObject({ OR: branches.describe('Any of these has to hold.') }),
  };
}

const branch = branchesOver(z.lazy((): z.ZodType<FilterNode> => node));
const node: z.ZodType<FilterNode> = z.union([branch.and, branch.or, leaf]);

/** How many conditions a tree has, and how deep it is; stops counting beyond what is allowed. */
function sizeOf(tree: unknown, depth = 1): { conditions: number; depth: number } {
  if (depth > MAX_FILTER_DEPTH || !isJsonObject(tree)) return { conditions: 1, depth };
  const below = [tree.AND, tree.OR].find(Array.isArray) as unknown[] | undefined;
  if (below === undefined) return { conditions: Object.keys(tree).length, depth };
  let conditions = 0;
  let deepest = depth;
  for (const one of below) {
    const size = sizeOf(one, depth + 1);
    conditions += size.conditions;
    deepest = Math.max(deepest, size.depth);
    if (conditions > MAX_FILTER_CONDITIONS || deepest > MAX_FILTER_DEPTH) break;
  }
  return { conditions, depth: deepest };
}

/** How many values a tree compares with. */
function valuesOf(tree: FilterNode): number {
  const below = 'AND' in tree ? tree.AND : 'OR' in tree ? tree.OR : null;
  if (below !== null) return below.reduce((sum, one) => sum + valuesOf(one), 0);
  const tests = FILTER_TEXT_FIELDS.flatMap((field) => (tree as FilterLeaf)[field] ?? []);
  return tests.reduce((sum, { eq, in: any = [] }) => sum + any.length + (eq === undefined ? 0 : 1), 0);
}

/** Judges a value by one schema, and says what is wrong where it is wrong. */
function judge(context: z.core.$RefinementCtx, schema: z.ZodType, input: unknown): void {
  for (const issue of schema.safeParse(input).error?.issues ?? [])
    context.addIssue({ ...(issue as z.core.$ZodIssueCustom), input: undefined });
}

/** A node of a tree, judged by the one form that its keys say is meant: a union would only say that none of its forms fits. */
const judgedNode: z.ZodType = z.unknown().superRefine((input, context) => {
  judge(context, meantForm(input), input);
});
const judgedBranch = branchesOver(judgedNode);

function meantForm(input: unknown): z.ZodType {
  if (!isJsonObject(input)) return leaf;
  if ('AND' in input) return judgedBranch.and;
  return 'OR' in input ? judgedBranch.or : leaf;
}

const short = z.strictObject({ metadata });

/** Why a tree is too large; null where it is not. */
function tooLarge(tree: unknown): string | null {
  const { conditions, depth } = sizeOf(tree);
  if (depth > MAX_FILTER_DEPTH) return `is deeper than ${MAX_FILTER_DEPTH} levels`;
  return conditions > MAX_FILTER_CONDITIONS ? `has more than ${MAX_FILTER_CONDITIONS} conditions` : null;
}

function judgeFilters(input: unknown, context: z.core.$RefinementCtx): void {
  if (isJsonObject(input) && 'metadata' in input) {
    judge(context, short, input);
    return;
  }
  const message = tooLarge(input);
  if (message === null) judge(context, judgedNode, input);
  else context.addIssue({ code: 'custom', message });
}

/** Lazy as the tree itself is: GraphQL takes it as JSON, and its names are none of the fields that GraphQL knows. */
const forms = z.lazy(() =>
  z
    .union([short, node])
    .refine(
      (filters) => 'metadata' in filters || valuesOf(filters) <= MAX_FILTER_TREE_VALUES,
      `compares with more than ${MAX_FILTER_TREE_VALUES} values`,
    ),
);

/** What a recall is narrowed to before anything is ranked. */
export const recallFilters = z
  .preprocess((input, context) => {
    judgeFilters(input, context);
    return input;
  }, forms)
  .describe(
    'Which events count, before ranking: either {metadata: {labels, observed_actor, modality, intent, caller}}, or a tree of {AND: […]} and {OR: […]} over {field: {eq, in, exists}} (labels, observed_actor, modality, intent, caller, subject, language) and {field: {gte, lte}} (observed_at, recorded_at); at most 64 conditions, 500 values, 8 levels deep. Facts are brought that such events state; an episode or a concept of theirs is told whole.',
  );
export type RecallFilters = z.output<typeof recallFilters>;

/** The short form as a tree; a tree as it is. */
export function filterTree(filters: RecallFilters): FilterNode {
  if (!('metadata' in filters)) return filters;
  const { metadata: keys } = filters;
  const conditions = METADATA_KEYS.flatMap((key) => {
    const wanted = keys[key];
    return wanted === undefined ? [] : [{ [key]: { in: typeof wanted === 'string' ? [wanted] : wanted } }];
  });
  return { AND: conditions };
}
