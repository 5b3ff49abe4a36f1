import {
  CAPABILITIES,
  type Capability,
  type CapabilityPattern,
  type PolicyTier,
} from '../../schemas/policy.ts';
import type { MintRequest } from '../../schemas/token.ts';
import { covers } from '../access/capability.ts';
import type { Decision } from '../access/decide.ts';
import { isWithin, parseGrant, type Grant } from '../access/grant.ts';
import type { Principal } from '../access/principal.ts';
import { StrataError } from '../errors.ts';
import type { AccessService, Call } from './access.ts';

/** What a token is narrowed to. */
export interface Narrowed {
  readonly caps: readonly CapabilityPattern[] | null;
  readonly grants: readonly Grant[] | null;
}

/**
 * What a token minted by the caller is narrowed to: what was asked for, where nothing was what the caller itself is narrowed
 * to. Throws `INVALID_BODY` for an entry of `scopes` that is none, and `POLICY_DENIED` naming a capability that the caller
 * does not hold, or does not hold where an entry names it.
 */
export async function narrowed(
  access: Pick<AccessService, 'decideAt' | 'placesOf'>,
  call: Call,
  request: Pick<MintRequest, 'caps' | 'capabilities' | 'scopes'>,
): Promise<Narrowed> {
  const { principal } = call;
  const caps = capsOf(request);
  const grants = request.scopes?.map(grantOf);
  requireAdmin(principal, caps);
  for (const capability of new Set(caps?.flatMap(capabilitiesOf))) {
    const { outcome, decidedBy } = access.decideAt(principal, capability, null);
    if (outcome !== 'allowed') throw notHeld(capability, decidedBy);
  }
  const places =
    grants === undefined
      ? []
      : await access.placesOf(
          call,
          grants.map(({ path }) => path),
        );
  for (const [i, grant] of (grants ?? []).entries()) {
    const place = places[i];
    if (place === undefined) throw new Error('a scope without a place');
    requireGrant(grant, principal, (capability) => access.decideAt(principal, capability, place));
  }
  return { caps: caps ?? principal.caps, grants: grants ?? principal.grants };
}

/** Naming `admin` lets a token mint for others, so only a token that names it hands it on. */
function requireAdmin({ posture, caps: own }: Principal, caps: readonly CapabilityPattern[] = []): void {
  const named = (patterns: readonly CapabilityPattern[]): boolean =>
    patterns.some((pattern) => covers(pattern, 'admin'));
  if (posture === 'token' && named(caps) && !named(own ?? [])) throw notHeld('admin', 'actor');
}

/** The capabilities that a pattern speaks of. */
function capabilitiesOf(pattern: CapabilityPattern): Capability[] {
  return CAPABILITIES.filter((capability) => covers(pattern, capability));
}

function capsOf({ caps, capabilities }: Pick<MintRequest, 'caps' | 'capabilities'>): typeof caps {
  if (caps !== undefined && capabilities !== undefined) {
    const reason = 'is another name of caps: give one of the two';
    throw new StrataError('INVALID_BODY', `capabilities: ${reason}`, {
      details: { field_path: 'capabilities', reason },
    });
  }
  return caps ?? capabilities;
}

function grantOf(text: string, index: number): Grant {
  const grant = parseGrant(text);
  if (typeof grant !== 'string') return grant;
  throw new StrataError('INVALID_BODY', `scopes[${index}]: ${grant}`, {
    details: { field_path: `scopes[${index}]`, reason: grant },
  });
}

/**
 * An entry lets its holder into scopes that no roster governs, so the caller has to be let in there too; and where the caller
 * is confined itself, one of its own entries has to reach as far.
 */
function requireGrant(
  grant: Grant,
  { grants }: Principal,
  decide: (capability: Capability) => Decision,
): void {
  for (const capability of capabilitiesOf(grant.pattern)) {
    const { outcome, decidedBy } = decide(capability);
    if (outcome !== 'allowed') throw notHeld(capability, decidedBy);
    const asWide = (own: Grant): boolean => covers(own.pattern, capability) && reaches(own, grant);
    if (grants !== null && !grants.some(asWide)) throw notHeld(capability, 'actor');
  }
}

function notHeld(capability: Capability, decidedBy: PolicyTier): StrataError {
  return new StrataError(
    'POLICY_DENIED',
    `the caller does not hold ${capability} as widely as it would hand it out`,
    {
      details: { capability, decided_by_tier: decidedBy },
    },
  );
}

function reaches(own: Grant, { path, subtree }: Grant): boolean {
  return own.subtree ? isWithin(path, own.path) : !subtree && path === own.path;
}
