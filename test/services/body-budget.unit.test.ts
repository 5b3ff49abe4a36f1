import { BODY_RATE_WINDOW_MS } from '../../src/services/recent-bytes.ts';
import { BODY_CROWDED_PACE_MS } from '../../src/services/byte-budget.ts';
import {
  BODY_CROWDED_BYTES_A_SECOND,
  SMALL_BODIES_BYTES,
  SMALL_BODY_BYTES,
} from '../../src/limits/bodies.ts';
import { BodyBudget, type BodyShares, JSON_VALUE_BYTES } from '../../src/services/body-budget.ts';
import { holder } from '../support/principals.ts';

const MIB = 1024 * 1024;
const ADDRESS = '192.0.2.1';
const busy = (reason: string) =>
  expect.objectContaining({ code: 'SERVER_BUSY', details: expect.objectContaining({ reason }) });

/** A budget with a clock that stands until it is moved. */
function rig(limits: Partial<BodyShares> = {}) {
  let ms = 0;
  const budget = new BodyBudget(limits, () => ms);
  return {
    budget,
    pass: (moreMs: number) => (ms += moreMs),
    /** The room of a body of an actor of a tenant. */
    of: (tenant: string, actor = 'user:a', tier: 'standard' | 'free' = 'standard') =>
      budget.enter(holder(actor, { tenant, tier }), ADDRESS),
  };
}

describe('the room for bodies', () => {
  it('is taken as bytes come, and given back', () => {
    const { budget, of } = rig();
    const room = of('a');
    expect(budget.bytes).toBe(0);
    room.grow(30);
    room.grow(10);
    room.growByValues(2);
    expect(budget.bytes).toBe(40 + 2 * JSON_VALUE_BYTES);
    room.leave();
    room.leave();
    expect(budget.bytes).toBe(0);
  });

  it('has a share for each actor, and a larger one for the tenant, whichever of its bodies take it', () => {
    const { budget, of } = rig({ actor: 40, tenant: 60 });
    const [first, second, third, other] = [of('a'), of('a'), of('a', 'user:b'), of('b')];
    first.grow(30);
    expect(() => {
      second.grow(11);
    }).toThrow(busy('actor_bodies'));
    expect(() => {
      third.grow(31);
    }).toThrow(busy('tenant_bodies'));
    third.grow(30);
    other.grow(40);
    first.leave();
    second.grow(30);
    expect(budget.bytes).toBe(100);
  });

  it('leaves some to others, however many tenants sign themselves up', () => {
    const { of } = rig({ all: 8 * MIB, signedUp: 4 * MIB });
    for (const tenant of ['a', 'b', 'c', 'd']) of(tenant, 'user:x', 'free').grow(MIB);
    expect(() => {
      of('e', 'user:x', 'free').grow(MIB);
    }).toThrow(busy('signed_up_bodies'));
    for (const tenant of ['f', 'g', 'h', 'i']) of(tenant).grow(MIB);
    expect(() => {
      of('j').grow(MIB);
    }).toThrow(busy('bodies'));
  });

  it('has some for small bodies when large ones have taken all', () => {
    const { of } = rig({ all: 4 * MIB, signedUp: 2 * MIB });
    of('a', 'user:x', 'free').grow(2 * MIB);
    of('b').grow(2 * MIB);
    const small = of('c', 'user:x', 'free');
    small.grow(SMALL_BODY_BYTES);
    expect(() => {
      small.grow(1);
    }).toThrow(busy('signed_up_bodies'));
    for (let taken = SMALL_BODY_BYTES; taken < SMALL_BODIES_BYTES; taken += SMALL_BODY_BYTES) {
      of(`d${taken}`).grow(SMALL_BODY_BYTES);
    }
    expect(() => {
      of('e').grow(1);
    }).toThrow(busy('bodies'));
  });

  it('is shared by strangers, of whom each has little', () => {
    const budget = new BodyBudget({ address: 40, strangers: MIB });
    budget.enter(null, '2001:db8::1').grow(40);
    expect(() => {
      budget.enter(null, '2001:db8::2').grow(1);
    }).toThrow(busy('address_bodies'));
    budget.enter(null, '2001:db8:0:1::1').grow(40);
  });
});

describe('bodies that come slowly', () => {
  const SLOW = (BODY_CROWDED_BYTES_A_SECOND * BODY_CROWDED_PACE_MS) / 1000 - 1;

  /** A room of which so many bytes came, and a note of what ends it. */
  function held({ of }: ReturnType<typeof rig>, tenant: string, came: number, tier?: 'free') {
    const room = of(tenant, 'user:x', tier);
    const ended: unknown[] = [];
    room.whenLost((refusal) => ended.push(refusal));
    room.came(came);
    room.grow(MIB);
    return { room, ended };
  }

  it('lose their room to who wants it, the slowest first', () => {
    const world = rig({ all: 3 * MIB });
    const [slow, slowest, fast] = [held(world, 'a', SLOW), held(world, 'b', 1), held(world, 'c', SLOW + 1)];
    world.pass(BODY_CROWDED_PACE_MS);
    const wanted = world.of('d');
    wanted.grow(MIB);
    expect([slow, slowest, fast].map(({ ended }) => ended.length)).toEqual([0, 1, 0]);
    expect(slowest.ended).toEqual([expect.objectContaining({ code: 'REQUEST_TIMEOUT', retriable: true })]);
    expect(world.budget.bytes).toBe(3 * MIB);
    expect(() => {
      slowest.room.grow(1);
    }).toThrow(expect.objectContaining({ code: 'REQUEST_TIMEOUT' }));
    slowest.room.leave();
    wanted.grow(MIB);
    expect(slow.ended).toHaveLength(1);
    expect(() => {
      wanted.grow(MIB);
    }).toThrow(busy('bodies'));
    expect(fast.ended).toEqual([]);
  });

  it('keep it while nobody else wants it, at their beginning, and when all has come', () => {
    const world = rig({ all: 2 * MIB });
    const slow = held(world, 'a', 1);
    const whole = held(world, 'b', 1);
    whole.room.arrived();
    whole.room.grow(0);
    world.pass(BODY_CROWDED_PACE_MS - 1);
    expect(() => {
      world.of('c').grow(MIB);
    }).toThrow(busy('bodies'));
    world.pass(1);
    world.of('c').grow(MIB);
    expect([slow.ended.length, whole.ended.length]).toEqual([1, 0]);
  });

  it('lose it however fast they began, once they stall', () => {
    const world = rig({ all: 3 * MIB });
    const stalled = held(world, 'a', 60 * MIB);
    const going = held(world, 'b', 0);
    world.pass(BODY_RATE_WINDOW_MS);
    going.room.came(MIB);
    stalled.room.came(1);
    const whole = world.of('c');
    whole.arrived();
    whole.grow(MIB);
    expect(() => {
      world.of('d').grow(MIB);
    }).toThrow(busy('bodies'));
    world.pass(BODY_CROWDED_PACE_MS);
    going.room.came(MIB);
    world.of('d').grow(MIB);
    expect([stalled, going].map(({ ended }) => ended.length)).toEqual([1, 0]);
  });

  it('lose it only to who has a part in the share that is full', () => {
    const world = rig({ signedUp: 2 * MIB, tenant: MIB });
    const named = held(world, 'a', 1);
    const signedUp = [held(world, 'b', 1, 'free'), held(world, 'c', 2, 'free')];
    world.pass(BODY_CROWDED_PACE_MS);
    world.of('d', 'user:x', 'free').grow(MIB);
    expect([named, ...signedUp].map(({ ended }) => ended.length)).toEqual([0, 1, 0]);
    world.of('a', 'user:y').grow(1);
    expect(named.ended).toHaveLength(1);
  });

  it('never lock anybody out: four sign-ups that hold all they may, and then everybody else', () => {
    const world = rig();
    const holding = ['a', 'b', 'c', 'd'].flatMap((tenant) => {
      const rooms = [];
      for (let i = 0; i < 96; i += 1) {
        try {
          rooms.push(held(world, tenant, 1000, 'free'));
        } catch (error) {
          expect(error).toEqual(busy('signed_up_bodies'));
          break;
        }
      }
      return rooms;
    });
    expect(holding).toHaveLength(192);
    world.of('default').grow(64 * MIB);
    world.pass(BODY_CROWDED_PACE_MS);
    for (let i = 0; i < 100; i += 1) world.of(`other${i}`, 'user:x', 'free').grow(MIB);
    expect(holding.filter(({ ended }) => ended.length > 0).length).toBeGreaterThanOrEqual(100);
  });
});
