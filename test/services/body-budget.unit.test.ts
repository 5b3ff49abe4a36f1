import { BodyBudget } from '../../src/services/body-budget.ts';

const busy = (reason: string) =>
  expect.objectContaining({ code: 'SERVER_BUSY', details: expect.objectContaining({ reason }) });

describe('the room for bodies', () => {
  it('is taken as bytes come, and given back', () => {
    const budget = new BodyBudget(100, 40);
    const room = budget.enter('a');
    expect(budget.bytes).toBe(0);
    room.grow(30);
    room.grow(10);
    expect(budget.bytes).toBe(40);
    room.leave();
    room.leave();
    expect(budget.bytes).toBe(0);
  });

  it('has a share for each owner, whichever of its bodies take it', () => {
    const budget = new BodyBudget(100, 40);
    const [first, second, other] = [budget.enter('a'), budget.enter('a'), budget.enter('b')];
    first.grow(30);
    expect(() => {
      second.grow(11);
    }).toThrow(busy('tenant_bodies'));
    other.grow(40);
    first.leave();
    second.grow(40);
    expect(budget.bytes).toBe(80);
  });

  it('is refused to everybody when all of it is taken', () => {
    const budget = new BodyBudget(100, 40);
    for (const owner of ['a', 'b']) budget.enter(owner).grow(40);
    const third = budget.enter('c');
    expect(() => {
      third.grow(21);
    }).toThrow(busy('bodies'));
    third.grow(20);
    expect(budget.bytes).toBe(100);
  });
});
