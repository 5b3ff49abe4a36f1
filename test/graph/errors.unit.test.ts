import { asStrataError, failureOf, OVERDUE } from '../../graph/errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('text of the database'), { code });

describe('a failure of the database', () => {
  it.each([
    ['Neo.TransientError.Transaction.DeadlockDetected', 'transient'],
    ['Neo.ClientError.Statement.EntityNotFound', 'transient'],
    ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', 'permanent'],
    ['Neo.DatabaseError.General.UnknownError', 'unavailable'],
    ['ServiceUnavailable', 'unavailable'],
    [OVERDUE, 'overdue'],
    ['Neo.ClientError.Schema.ConstraintValidationFailed', 'constraint'],
    ['Neo.ClientError.Statement.SyntaxError', 'permanent'],
  ])('%s is %s, and stays so when it has crossed the door of the room', (code, failure) => {
    expect(failureOf(withCode(code))).toBe(failure);
    expect(failureOf(asStrataError(withCode(code)))).toBe(failure);
  });

  it('is one of an absent database for callers where it has no memory to spare', () => {
    const pool = withCode('Neo.TransientError.General.MemoryPoolOutOfMemoryError');
    expect(asStrataError(pool)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', cause: pool });
    const own = withCode('Neo.TransientError.General.TransactionOutOfMemoryError');
    expect(asStrataError(own)).toBe(own);
  });
});
