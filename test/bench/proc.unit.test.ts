import { cpuSeconds, CpuMeter, residentMiB } from './proc.ts';

const onLinux = process.platform === 'linux';
/** A process id that no system gives out. */
const NOBODY = 2 ** 30;

function work(): Promise<string> {
  const end = performance.now() + 100;
  while (performance.now() < end) JSON.parse('[1,2,3]');
  return Promise.resolve('done');
}

describe('what the system tells of a process', () => {
  it('is its CPU time and its memory, or null where it tells nothing', () => {
    expect(cpuSeconds(process.pid) !== null).toBe(onLinux);
    expect((residentMiB(process.pid) ?? 0) > 10).toBe(onLinux);
    expect([cpuSeconds(NOBODY), residentMiB(NOBODY)]).toEqual([null, null]);
  });
});

describe('a meter', () => {
  it('adds up what the named processes use during the work', async () => {
    const meter = new CpuMeter(() => ({ own: process.pid, gone: NOBODY, unknown: null, other: process.pid }));
    expect(await meter.during(['own', 'gone', 'unknown'], work)).toBe('done');
    const once = meter.used.own ?? 0;
    await meter.during(['own'], work);
    await meter.during({ other: 'another name' }, work);
    expect(meter.used).toMatchObject({ gone: null, unknown: null });
    expect(Object.keys(meter.used)).toEqual(['own', 'gone', 'unknown', 'another name']);
    expect((meter.used.own ?? 0) > once).toBe(onLinux);
  });
});
