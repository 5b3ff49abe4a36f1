import { disposeInOrder, endWithin } from '../../src/context/dispose.ts';
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

/** Parts of a service in the order in which they end, up to what waits for planning. */
const ORDER = [
  'planning',
  'shedder',
  'outbox',
  'retention of frames',
  'audit retention',
  'deletions',
  'forgets',
  'retention',
  'removal',
  'revocations',
  'old packs',
  'packs',
  'committer',
  'audit log',
  'sealer',
  'pipeline',
  'usage',
];

describe('a stop', () => {
  it('waits for planning only before the connections that it uses are closed', async () => {
    const told: string[] = [];
    const tell = (what: string) => (): Promise<void> => {
      told.push(what);
      return Promise.resolve();
    };
    let planned = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      planned = resolve;
    });
    const planning = { over, stop: (): unknown => told.push('planning') };
    const end = disposeInOrder(
      {
        planning,
        shedder: { stop: () => told.push('shedder') },
        arrival: undefined,
        outbox: { close: tell('outbox') },
        frameRetention: { stop: tell('retention of frames') },
        retention: { stop: tell('retention') },
        auditRetention: { stop: tell('audit retention') },
        deletions: { stop: tell('deletions') },
        forgets: { stop: tell('forgets') },
        removal: { stop: tell('removal') },
        sweeps: ['revocations', 'old packs'].map((name) => ({ name, stop: tell(name) })),
        packs: { stop: tell('packs') },
        committer: { close: tell('committer') },
        auditLog: { close: tell('audit log') },
        sealer: { close: tell('sealer') },
        pipeline: { stop: tell('pipeline') },
        models: { embedder: undefined, usage: { flush: tell('usage') } },
        feed: { close: tell('access') },
        work: { close: tell('work') },
        database: { close: tell('database') },
      },
      silentLog,
    );
    await new Promise(setImmediate);
    expect(told).toEqual(ORDER);
    planned();
    await end;
    expect(told).toEqual([...ORDER, 'access', 'work', 'database']);
  });
});
