import type { ForgetObstacle } from '../../graph/forget/plan.ts';
import { StrataError } from '../errors.ts';
import { unknownPreview } from './forget-planning.ts';

/** What a forget or an erasure answers that cannot begin: nothing was `done`. */
export function hindered(obstacle: ForgetObstacle, done: 'forgotten' | 'erased'): StrataError {
  switch (obstacle) {
    case 'rebuilding':
      return new StrataError('REDERIVE_IN_PROGRESS', `the scope is being derived again; nothing was ${done}`);
    case 'no preview':
      return unknownPreview();
    case 'deleting':
      return new StrataError(
        'DESTRUCTIVE_OPERATION_IN_PROGRESS',
        `the scope is being deleted; nothing was ${done} here`,
      );
    case 'holds changed':
    case 'rules changed':
    case 'forgetting':
      return new StrataError(
        'DESTRUCTIVE_OPERATION_IN_PROGRESS',
        `another forget or erasure of the scope is under way; nothing was ${done} here`,
      );
    case 'rights changed':
      return new StrataError(
        'AUTHORIZATION_STATE_CHANGED',
        `who may do what changed again and again meanwhile; nothing was ${done}`,
      );
    case 'key taken':
      return new StrataError(
        'IDEMPOTENCY_CONFLICT',
        'another request with the same key came first; send this one again to be answered as it was',
        { details: { field_path: 'idempotency_key' } },
      );
  }
}
