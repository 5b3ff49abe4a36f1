import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { pageCursor, pageLimit } from './listing.ts';
import { scopePath } from './scope.ts';
import { nameText } from './text.ts';
import { answeredInstant } from './time.ts';

/** Kinds of entity. */
export const ENTITY_TYPES = ['person', 'organisation', 'place', 'product', 'topic', 'other'] as const;

/** That an entity goes by another one, as it is read with that. */
export const entityLink = z.strictObject({
  link_id: z.string().describe('Id of the link, prefix link_.'),
  scope: z.string().describe('Scope in which it holds.'),
  entity: z.string().describe('Id of the entity that goes by the other one.'),
  same_as: z.string().describe('Id of the entity that it goes by.'),
  recorded_at: answeredInstant.describe('Since when, RFC 3339 UTC.'),
  linked_by: z.string().describe('Who linked them.'),
});
export type EntityLinkItem = z.output<typeof entityLink>;

/** An entity as it is read: put together from the scopes that the caller may read. */
export const entityItem = z.strictObject({
  id: z.string().describe('Id of the entity; of a linked one that of the entity that it goes by.'),
  name: z
    .string()
    .nullable()
    .describe('Name that was learned last, by the recorded instant; null when it was given none.'),
  aliases: z
    .array(z.string())
    .describe(
      'Other names that statements gave it, the newest first, and those of entities that are linked with it; of each scope the newest 100 at most.',
    ),
  type: z.enum(ENTITY_TYPES).describe('What it is; other where that is not known.'),
  scopes: z.array(z.string()).describe('Scopes in which something is stated that names it, by their paths.'),
  links: z
    .array(entityLink)
    .describe('The links by which other entities go by this one, in the order in which they were made.'),
});
export type EntityItem = z.output<typeof entityItem>;

const asOf = {
  as_of: asOfParameters.as_of.describe(
    'Only what was named by this RFC 3339 instant; the same as as_of_recorded, since an entity has no valid time. Not together with it.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'Only what was named by this RFC 3339 instant; default now.',
  ),
};

const linkedId = nameText(256).describe(
  'Id of an entity, 1 to 256 characters; nothing has to be known of it yet.',
);

/** Body of a link. */
export const linkEntitiesBody = z.strictObject({
  scope: scopePath.describe('Scope in which the link is to hold; in it alone.'),
  entity: linkedId.describe('Id of the entity that is to go by the other one.'),
  same_as: linkedId.describe('Id of the entity that it is to go by.'),
});
export type LinkEntitiesBody = z.output<typeof linkEntitiesBody>;

/** A link as it is answered. */
export const entityLinkRecord = z.strictObject({
  ...entityLink.shape,
  unlinked_at: answeredInstant
    .nullable()
    .describe('Since when it holds no longer, RFC 3339 UTC; null while it holds.'),
  unlinked_by: z.string().nullable().describe('Who took it back; null while it holds.'),
  status: z
    .enum(['applied', 'applying'])
    .describe('applying while some of what was derived before does not go by it yet.'),
});
export type EntityLinkRecord = z.output<typeof entityLinkRecord>;

/** Query of the listing of entities. */
export const entityListQuery = z.strictObject({
  scope: scopePath,
  q: nameText(256).optional().describe('Text that one of its names has to hold, whatever its case.'),
  type: z.enum(ENTITY_TYPES).optional().describe('Only entities of this kind.'),
  ...asOf,
  limit: pageLimit,
  cursor: pageCursor,
});
export type EntityListQuery = z.output<typeof entityListQuery>;

const paging = {
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
};

/** A page of entities. */
export const entityPage = z.strictObject({
  items: z.array(entityItem).describe('Entities of the scope, newest first by what named them first.'),
  ...paging,
  ambiguous_entity: ambiguousAsked,
});
export type EntityPage = z.output<typeof entityPage>;

const scopeOfOne = scopePath
  .optional()
  .describe('Only what was stated in this scope; default every scope that the caller may read.');

/** Query of the reading of one entity. */
export const entityGetQuery = z.strictObject({ scope: scopeOfOne, ...asOf });

/** A fact that relates an entity to another one. */
export const entityRelation = z.strictObject({
  fact_id: z.string().describe('Id of the fact that says so.'),
  direction: z
    .enum(['out', 'in'])
    .describe('out where the entity that was asked for is the subject, in where it is the object.'),
  predicate: z.string().describe('What is stated, in canonical spelling.'),
  entity: z
    .strictObject({
      id: z.string().describe('Id of the entity.'),
      name: z
        .string()
        .nullable()
        .describe('Name that was learned last, by the recorded instant; null when it was given none.'),
    })
    .describe('The entity at the other end.'),
  scope: z.string().describe('Scope in which it was stated.'),
  confidence: z.number().describe('How sure the fact is, 0 to 1, by all events that state it.'),
  valid_from: answeredInstant.describe('Since when it is true, RFC 3339 UTC.'),
  valid_to: answeredInstant.nullable().describe('Until when it is true; null for no end.'),
});
export type EntityRelation = z.output<typeof entityRelation>;

/** Query of the relations of an entity. */
export const entityEdgesQuery = z.strictObject({
  scope: scopeOfOne,
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type EntityEdgesQuery = z.output<typeof entityEdgesQuery>;

/** A page of the relations of an entity. */
export const entityEdgesPage = z.strictObject({
  items: z
    .array(entityRelation)
    .describe('Facts that relate the entity to another one, newest first by what began them.'),
  ...paging,
});
export type EntityEdgesPage = z.output<typeof entityEdgesPage>;
