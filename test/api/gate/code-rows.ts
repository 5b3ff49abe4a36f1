import type { Operation } from '../../../schemas/operation/definition.ts';
import { CODE_OPERATIONS } from '../../../schemas/operation/code.ts';
import type { Row } from './row.ts';

type CodeOperationId = keyof typeof CODE_OPERATIONS;

const rowOf = ({ method, path }: Operation): Row => ({
  guard: 'tenant',
  knock: () => ({ method, path: path.replace('{name}', 'strata') }),
  accepted: 503,
});

/** The operations of the code plane, which is off: whoever has the capability is told so. */
export const CODE_ROWS = Object.fromEntries(
  Object.entries(CODE_OPERATIONS).map(([id, operation]) => [id, rowOf(operation)]),
) as Readonly<Record<CodeOperationId, Row>>;
