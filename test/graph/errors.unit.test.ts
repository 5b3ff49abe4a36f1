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
});
