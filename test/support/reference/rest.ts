import type { ErrorCode } from '../../../schemas/error.ts';
import type { Operation } from '../../../schemas/operation/definition.ts';
import {
  errorsOf,
  OPERATION_IDS,
  operationOf,
  rateOf,
  type OperationId,
} from '../../../schemas/operation.ts';
import { TAGS, type Noun } from '../../../schemas/tag.ts';
import { BODY_LIMITS } from '../../../rest/body.ts';
import { nameOf } from '../../../rest/json-schema.ts';
import { exampleText } from './example-text.ts';
import { fieldRows } from './schema-rows.ts';
import { codes, table } from './table.ts';

/** The anchor that the heading of an operation has on the page of REST, as hosts of repositories make it. */
export function anchorOf(id: OperationId): string {
  return headingOf(operationOf(id))
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

function headingOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Errors of whole kinds of operations, which are told once. */
const KINDS: readonly (readonly [what: string, is: (operation: Operation) => boolean])[] = [
  ['Any operation', () => true],
  ['Those that ask for a caller', ({ access }) => !('open' in access)],
  ['Those with a body', ({ body, bytes }) => body !== undefined || bytes === true],
];

function commonErrors(is: (operation: Operation) => boolean): ErrorCode[] {
  const [first = [], ...others] = OPERATION_IDS.map(operationOf).filter(is).map(errorsOf);
  return first.filter((code) => others.every((codes_) => codes_.includes(code)));
}

/** The errors that an operation shares with its kinds are on this list. */
export function kindsOfErrors(): string {
  const told = new Set<ErrorCode>();
  return KINDS.map(([what, is]) => {
    const own = commonErrors(is).filter((code) => !told.has(code));
    for (const code of own) told.add(code);
    return `- ${what}: ${codes(own)}.`;
  }).join('\n');
}

/** Every operation in markdown, by noun, each with an example. */
export function restReference(): string {
  const nouns = Object.keys(TAGS) as Noun[];
  const contents = nouns.map((noun) => {
    const title = titleOf(noun);
    return `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')}): ${idsOf(noun)
      .map((id) => `[${operationOf(id).summary}](#${anchorOf(id)})`)
      .join(', ')}`;
  });
  const sections = nouns.map((noun) => {
    const own = idsOf(noun).map(operationText);
    return [`## ${titleOf(noun)}`, TAGS[noun], ...own].join('\n\n');
  });
  return [contents.join('\n'), ...sections].join('\n\n');
}

function idsOf(noun: Noun): OperationId[] {
  return OPERATION_IDS.filter((id) => operationOf(id).noun === noun);
}

function titleOf(noun: Noun): string {
  const words = noun.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function operationText(id: OperationId): string {
  const operation = operationOf(id);
  const { method, alias, summary, description } = operation;
  const also = alias === undefined ? '' : `, also as \`${method} ${alias}\``;
  return [
    `### ${headingOf(operation)}`,
    `**${summary}** (\`${id}\`${also}). ${description}`,
    facts(operation).join('\n'),
    parametersText(operation),
    bodyText(operation),
    exampleText(id),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function facts(operation: Operation): string[] {
  const { graphql, answers, off, otherStatuses = [] } = operation;
  const shared = new Set(KINDS.filter(([, is]) => is(operation)).flatMap(([, is]) => commonErrors(is)));
  const own = errorsOf(operation).filter((code) => !shared.has(code));
  const others = otherStatuses.map(({ code, status, when }) => `\`${code}\` with ${status}: ${when}`);
  return [
    `- Access: ${accessOf(operation)}; counts as a ${rateOf(operation)}.`,
    ...(off === undefined ? [`- Answers: ${answersText(answers)}`] : []),
    ...(own.length === 0 ? [] : [`- Errors beside those of its kind: ${codes(own)}.`]),
    ...(others.length === 0 ? [] : [`- Other statuses: ${others.join(' ')}`]),
    'field' in graphql
      ? `- GraphQL: ${graphql.kind} \`${graphql.field}\`.`
      : `- GraphQL: none. ${graphql.reason}`,
  ];
}

function answersText(answers: Operation['answers']): string {
  return Object.entries(answers)
    .map(([status, { description }]) => `${status}: ${description}`)
    .join(' ');
}

function accessOf({ access }: Operation): string {
  if ('capability' in access) return `capability \`${access.capability}\``;
  if ('anyOf' in access) return `capability ${access.anyOf.map((one) => `\`${one}\``).join(' or ')}`;
  return 'caller' in access ? `any caller (${trimmed(access.caller)})` : `open (${trimmed(access.open)})`;
}

function trimmed(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

function parametersText({ params = {}, query, resumes, keyed }: Operation): string {
  const inPath = Object.entries(params).map(([name, meaning]) => [`\`${name}\``, 'path', 'text', meaning]);
  const inQuery = (query === undefined ? [] : fieldRows(query)).map(({ name, type, required, meaning }) => [
    `\`${name}\`${required ? ' (required)' : ''}`,
    'query',
    type,
    meaning,
  ]);
  const header = ['`Last-Event-ID`', 'header', 'text', 'Id of the last frame seen; wins over the cursor.'];
  const key = ['`X-Strata-Idempotency-Key` (required)', 'header', 'text', 'Key of the upload.'];
  const rows = [
    ...inPath,
    ...inQuery,
    ...(resumes === true ? [header] : []),
    ...(keyed === true ? [key] : []),
  ];
  return rows.length === 0 ? '' : table(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

function bodyText({ body, bytes }: Operation): string {
  if (bytes === true) return 'Body: the bytes themselves, under their own media type.';
  if (body === undefined) return '';
  const name = nameOf(body.schema);
  const schema = name === null ? '' : `; its schema: \`GET /v1/schemas/${name}\``;
  const needed = body.required ? 'Body' : 'Body, which may be left out';
  const rows = fieldRows(body.schema).map((row) => [
    `\`${row.name}\`${row.required ? ' (required)' : ''}`,
    row.type,
    row.meaning,
  ]);
  const fields = rows.length === 0 ? '' : `\n\n${table(['Field', 'Type', 'Meaning'], rows)}`;
  return `${needed}: JSON of at most ${BODY_LIMITS[body.cap] / 1024} KiB${schema}.${fields}`;
}
