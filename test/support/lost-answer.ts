import { Database, type Transaction } from '../../graph/driver.ts';

/** Calls `then` when the next transaction that runs a statement is committed, before its answer is known; until mocks are restored. */
export function onCommitOf(statement: string, then: () => void): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const transaction = Database.prototype.transaction;
  let called = false;
  jest.spyOn(Database.prototype, 'transaction').mockImplementation(async function <T>(
    this: Database,
    work: (transaction: Transaction) => Promise<T>,
    extraMs?: number,
  ): Promise<T> {
    const ran = new Set<string>();
    const watched = (open: Transaction): Promise<T> =>
      work({
        run: (one, params) => {
          ran.add(one.name);
          return open.run(one, params);
        },
        send: (one, params) => {
          ran.add(one.name);
          open.send(one, params);
        },
      });
    const outcome = (await transaction.call(this, watched, extraMs)) as T;
    if (called || !ran.has(statement)) return outcome;
    called = true;
    then();
    return outcome;
  });
}

/** The commit of the next transaction that runs a statement happens, and its answer is lost; until mocks are restored. */
export function loseAnswerOf(statement: string): void {
  onCommitOf(statement, () => {
    throw Object.assign(new Error('the connection is gone'), { code: 'ServiceUnavailable' });
  });
}
