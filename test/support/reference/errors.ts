import { DOCUMENT_CODES } from '../../../resolvers/error.ts';
import { ERROR_CODES, errorDefinition, type ErrorCode } from '../../../schemas/error.ts';
import { errorsOf, OPERATION_IDS, operationOf } from '../../../schemas/operation.ts';
import { codes, table } from './table.ts';

/** Above this many operations a code is of a whole kind of operations, and naming each says nothing. */
const FEW = 6;

/** The codes of REST and GraphQL as a table in markdown, in the order in which they are decided. */
export function errorsTable(): string {
  const rows = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => {
    const { status, retriable, when, retryAfterSeconds } = errorDefinition(code);
    const after = retryAfterSeconds === undefined ? '' : `, after ${retryAfterSeconds} s or more`;
    return [`\`${code}\``, String(status), retriable ? `yes${after}` : 'no', when, askedBy(code)];
  });
  return table(['Code', 'Status', 'Retriable', 'When', 'Operations'], rows);
}

function askedBy(code: ErrorCode): string {
  const those = OPERATION_IDS.filter((id) => errorsOf(operationOf(id)).includes(code));
  const { length } = those;
  if (length === OPERATION_IDS.length) return 'all';
  if (length === 0) return 'any other request';
  return length > FEW ? `${length} of ${OPERATION_IDS.length}` : codes(those);
}

/** The codes that only GraphQL has. */
export function documentCodes(): string {
  return codes(DOCUMENT_CODES);
}
