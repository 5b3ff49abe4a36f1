import { endWithin } from '../../src/context/dispose.ts';
import { silentLog } from '../../src/log.ts';

describe('the end of a part', () => {
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (message: string, fields: unknown) => warned.push([message, fields]) };

  it('is waited for', async () => {
    let ended = false;
    const end = new Promise<void>((resolve) => {
      setImmediate(() => {
        ended = true;
        resolve();
      });
    });
    await endWithin(60_000, log, 'committer', end);
    expect([ended, warned]).toEqual([true, []]);
  });

  it('that does not come is left behind after the bound, and told', async () => {
    await endWithin(5, log, 'pipeline', new Promise(() => undefined));
    expect(warned).toEqual([
      ['a part of the service did not end in time', { part: 'pipeline', waited_ms: 5 }],
    ]);
  });

  it('that fails is told to whoever stops', async () => {
    await expect(endWithin(60_000, log, 'pipeline', Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
  });
});
