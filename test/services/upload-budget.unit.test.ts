import { UploadBudget } from '../../src/services/upload-budget.ts';
import { holder } from '../support/principals.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const of = (tenant: string) => holder('user:a', { tenant });
const BUSY = expect.objectContaining({ code: 'SERVER_BUSY' });

describe('the room for uploads', () => {
  it('is taken as bytes come, and given back at once', () => {
    const budget = new UploadBudget({ actor: 64 * MIB });
    const room = budget.enter(of('default'), null);
    expect(budget.bytes).toBe(0);
    room.grow(1);
    room.grow(2);
    expect(budget.bytes).toBe(64 * KIB);
    room.grow(64 * KIB);
    expect(budget.bytes).toBe(128 * KIB);
    room.leave();
    room.leave();
    expect(budget.bytes).toBe(0);
  });

  it('is not used up by those who announce much and send nothing', () => {
    const budget = new UploadBudget({ actor: 32 * MIB });
    for (let i = 0; i < 100; i += 1) budget.enter(of('loud'), 32 * MIB);
    const room = budget.enter(of('loud'), 32 * MIB);
    room.grow(32 * MIB);
    expect(budget.bytes).toBe(32 * MIB);
  });

  it('is refused beforehand when what is announced would not fit now, and while it comes', () => {
    const budget = new UploadBudget({ actor: 64 * MIB });
    const [first, second] = [budget.enter(of('default'), null), budget.enter(of('default'), 32 * MIB)];
    first.grow(40 * MIB);
    expect(() => budget.enter(of('default'), 32 * MIB)).toThrow(BUSY);
    second.grow(24 * MIB);
    expect(() => {
      second.grow(1);
    }).toThrow(BUSY);
    expect(budget.bytes).toBe(64 * MIB);
    first.leave();
    second.leave();
    expect(budget.bytes).toBe(0);
  });

  it('is taken from nobody by what is only announced', () => {
    let ms = 0;
    const budget = new UploadBudget({ all: 40 * MIB }, () => ms);
    const ended: unknown[] = [];
    const slow = budget.enter(of('slow'), null);
    slow.whenLost((refusal) => ended.push(refusal));
    slow.grow(32 * MIB);
    ms += 60_000;
    const next = budget.enter(of('loud'), 32 * MIB);
    expect(ended).toEqual([]);
    next.grow(8 * MIB);
    expect(ended).toEqual([]);
    next.grow(MIB);
    expect(ended).toEqual([expect.objectContaining({ code: 'REQUEST_TIMEOUT' })]);
  });

  it('keeps room for other tenants', () => {
    const budget = new UploadBudget({ actor: 16 * MIB });
    const loud = budget.enter(of('loud'), null);
    loud.grow(16 * MIB);
    for (const attempt of [
      () => budget.enter(of('loud'), 1),
      () => {
        budget.enter(of('loud'), null).grow(1);
      },
    ]) {
      expect(attempt).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ reason: 'actor_uploads' }) }),
      );
    }
    const quiet = budget.enter(of('quiet'), 16 * MIB);
    quiet.grow(16 * MIB);
    loud.leave();
    budget.enter(of('loud'), null).grow(1);
  });
});
