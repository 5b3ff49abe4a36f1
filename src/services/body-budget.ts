import type { Principal } from '../access/principal.ts';
import {
  BODIES_BYTES,
  BODIES_OF_ACTOR_BYTES,
  BODIES_OF_ADDRESS_BYTES,
  BODIES_OF_SIGNED_UP_BYTES,
  BODIES_OF_STRANGERS_BYTES,
  BODIES_OF_TENANT_BYTES,
} from '../limits/bodies.ts';
import { addressBlock } from '../validation/address-block.ts';
import { ByteBudget, type ByteRoom, type Share } from './byte-budget.ts';

/** Room that a value takes beside its text while its request is worked on, bytes: an object takes sixty, most take fewer. */
export const JSON_VALUE_BYTES = 32;

/** The room of one body. */
export interface BodyRoom extends ByteRoom {
  /** Takes room for what values of JSON take beside their text. Throws `SERVER_BUSY`. */
  readonly growByValues: (values: number) => void;
}

/** Bytes that bodies may take: all, those of one actor, of one tenant, of all tenants that signed themselves up, of strangers. */
export interface BodyShares {
  readonly all: number;
  readonly actor: number;
  readonly tenant: number;
  readonly signedUp: number;
  readonly address: number;
  readonly strangers: number;
}

const SHARES: BodyShares = {
  all: BODIES_BYTES,
  actor: BODIES_OF_ACTOR_BYTES,
  tenant: BODIES_OF_TENANT_BYTES,
  signedUp: BODIES_OF_SIGNED_UP_BYTES,
  address: BODIES_OF_ADDRESS_BYTES,
  strangers: BODIES_OF_STRANGERS_BYTES,
};

/** Bounds the bytes of JSON bodies, unpacked, that this process reads or works on at once, and those of every caller among them. */
export class BodyBudget {
  private readonly budget: ByteBudget;
  private readonly limits: BodyShares;

  constructor(limits: Partial<BodyShares> = {}, now?: () => number) {
    this.budget = new ByteBudget({ what: 'requests', ...(now ? { now } : {}) });
    this.limits = { ...SHARES, ...limits };
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.budget.bytes;
  }

  /** Opens the room of a body, empty: of a caller, or of a stranger by where he comes from. */
  enter(caller: Principal | null, address: string): BodyRoom {
    const room = this.budget.enter(caller === null ? this.ofStranger(address) : this.ofCaller(caller));
    return {
      ...room,
      growByValues: (values) => {
        room.grow(values * JSON_VALUE_BYTES);
      },
    };
  }

  private ofCaller({ tenant, actor, tier }: Principal): Share[] {
    const { limits } = this;
    return [
      ...sharesOfCaller({ tenant, actor }, { ...limits, suffix: 'bodies' }),
      ...(tier === 'free' ? [common('signed_up_bodies', limits.signedUp)] : []),
      common('bodies', limits.all),
    ];
  }

  private ofStranger(address: string): Share[] {
    const { limits } = this;
    const block = addressBlock(address);
    return [
      { key: JSON.stringify([block]), limitBytes: limits.address, reason: 'address_bodies', common: false },
      common('strangers_bodies', limits.strangers),
      common('bodies', limits.all),
    ];
  }
}

/** The shares of one caller: that of the actor first, then that of the tenant. */
export function sharesOfCaller(
  { tenant, actor }: Pick<Principal, 'tenant' | 'actor'>,
  limits: { readonly actor: number; readonly tenant: number; readonly suffix: string },
): [Share, Share] {
  return [
    {
      key: JSON.stringify([tenant, actor]),
      limitBytes: limits.actor,
      reason: `actor_${limits.suffix}`,
      common: false,
    },
    {
      key: JSON.stringify({ tenant }),
      limitBytes: limits.tenant,
      reason: `tenant_${limits.suffix}`,
      common: false,
    },
  ];
}

/** A share of many callers. */
export function common(reason: string, limitBytes: number): Share {
  return { key: reason, limitBytes, reason, common: true };
}
