import type { z } from 'zod';

import { ERROR_CODES, type ErrorCode } from '../schemas/error.ts';
import { StrataError } from './errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Chooses the code of an error by where it stands; null keeps the code of the call. */
export type CodeOfPath = (path: Path) => ErrorCode | null;

/** `content.text`, `items[3].scope`; empty for the whole. */
export function fieldPath(path: Path): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}

/**
 * Checks an input against a schema and gives its parsed form. Throws `code` (or the code that the schema or `codeOfPath`
 * states for the field) with a message that names the field, `details.field_path` and `details.reason`.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  code: ErrorCode,
  codeOfPath?: CodeOfPath,
): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: false });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw new Error('a schema refused an input without saying why');
  throw toError(innermost(issue), code, codeOfPath, namesOf(schema));
}

/** The names that an object schema knows; null for other schemas. */
function namesOf(schema: z.ZodType): string[] | null {
  const { shape } = schema as { shape?: unknown };
  return typeof shape === 'object' && shape !== null ? Object.keys(shape) : null;
}

function toError(
  issue: Issue,
  code: ErrorCode,
  codeOfPath: CodeOfPath | undefined,
  names: string[] | null,
): StrataError {
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  const params = paramsOf(issue);
  const field = fieldPath(path);
  const reason = unknownKey === undefined ? (params.reason ?? reasonOf(issue)) : 'unknown field';
  const allowed = unknownKey !== undefined && issue.path.length === 0 ? names : (params.allowed ?? null);
  const chosen = params.error_code ?? (unknownKey === undefined ? codeOfPath?.(path) : null) ?? code;
  return new StrataError(chosen, field === '' ? `the body ${reason}` : `${field}: ${reason}`, {
    details: {
      field_path: field,
      reason,
      ...(allowed === null ? {} : { allowed }),
    },
    ...(params.status === undefined ? {} : { status: params.status }),
  });
}

/** What is wrong, without the field; a predicate wherever the schema does not say it itself. */
function reasonOf(issue: Issue): string {
  const text = issue.message.replace(/^Invalid input: /, '');
  if (issue.code === 'invalid_type' && text.endsWith('received undefined')) return 'is required';
  if (issue.code === 'invalid_type') return `is of the wrong type: ${text}`;
  if (issue.code === 'too_small') return `has to be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
  if (issue.code === 'too_big') return `may be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union') {
    const { options } = issue as { options?: unknown };
    if (Array.isArray(options)) return `must be one of ${options.map(String).join(', ')}`;
  }
  return text;
}

/** What a bound counts, where it is not the value itself. */
function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}

/** The issue of the alternative that got furthest: of a union, what is wrong with the closest member says more than "no match". */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const candidates = issue.errors.flatMap(([first]) => (first ? [innermost(first)] : []));
  const [deepest] = candidates.sort((a, b) => b.path.length - a.path.length);
  if (!deepest || deepest.path.length === 0) return issue;
  return { ...deepest, path: [...issue.path, ...deepest.path] };
}

interface Params {
  readonly error_code?: ErrorCode;
  readonly status?: number;
  readonly reason?: string;
  readonly allowed?: readonly string[];
}

function paramsOf(issue: Issue): Params {
  if (issue.code !== 'custom' || issue.params === undefined) return {};
  const { error_code, status, reason, allowed } = issue.params as Record<string, unknown>;
  return {
    ...(typeof error_code === 'string' && error_code in ERROR_CODES
      ? { error_code: error_code as ErrorCode }
      : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(Array.isArray(allowed) ? { allowed: allowed as string[] } : {}),
  };
}
