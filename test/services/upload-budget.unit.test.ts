import { UploadBudget } from '../../src/services/upload-budget.ts';

const MIB = 1024 * 1024;

describe('the room for uploads', () => {
  it('is given back, and refused when there is none', () => {
    const budget = new UploadBudget(64 * MIB);
    const first = budget.enter(null);
    expect(budget.bytes).toBe(32 * MIB);
    const second = budget.enter(999 * MIB);
    expect(budget.bytes).toBe(64 * MIB);
    expect(() => budget.enter(1)).toThrow(expect.objectContaining({ code: 'SERVER_BUSY' }));
    second();
    const small = budget.enter(1);
    expect(budget.bytes).toBe(32 * MIB + 64 * 1024);
    first();
    small();
    expect(budget.bytes).toBe(0);
  });
});
