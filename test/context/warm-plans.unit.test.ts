import type { Writer } from '../../graph/driver.ts';
import { warmPlans } from '../../graph/warm-plans.ts';
import type { Statement } from '../../graph/statement.ts';

describe('planning ahead', () => {
  it.each([0, 1, 3])('sends no statement after it was told to stop at number %i', async (last) => {
    const stopping = new AbortController();
    if (last === 0) stopping.abort();
    let sent = 0;
    const unused = (): Promise<never> => Promise.reject(new Error('planning only writes'));
    const writer: Writer = {
      write: <R>(_statement: Statement<never, R>): Promise<R[]> => {
        sent += 1;
        if (sent === last) stopping.abort();
        return Promise.resolve([{ base: 0, decided: [], newest_frame: 0 } as R]);
      },
      read: unused,
      writeRepeatable: unused,
      transaction: unused,
    };
    await warmPlans(writer, stopping.signal);
    expect(sent).toBe(last);
  });
});
