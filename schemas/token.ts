import { z } from 'zod';

import { actorId } from './actor.ts';
import { CALLER_TIERS, capabilityPattern, DEPLOYMENT_PRESETS } from './policy.ts';
import { scopePath } from './scope.ts';
import { nameText } from './text.ts';
import { answeredInstant } from './time.ts';

/** At most this many entries in the `caps` of a token: there are not many more capabilities. */
export const MAX_TOKEN_CAPS = 64;
/** At most this many entries in the `scopes` of a token: each decision looks at all of them. */
export const MAX_TOKEN_SCOPES = 256;
/** At most this many characters in an entry of `scopes`: a capability, a colon, the longest scope and `/*`. */
const MAX_ENTRY_LENGTH = 4200;

/** Least life of a minted token, seconds; less is taken as this. */
export const MIN_TOKEN_TTL_S = 60;
/** Longest life of a minted token, seconds; more is taken as this. */
export const MAX_TOKEN_TTL_S = 86_400;
/** Life of a minted token where none is asked for, seconds. */
const DEFAULT_TOKEN_TTL_S = 3600;

/** The id of a token: 1 to 256 visible ASCII characters; other issuers have their own form. */
export const tokenId = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'is not 1 to 256 visible ASCII characters')
  .describe('Id of a token, 1 to 256 visible ASCII characters; ours begin with tok_.');

const token = z.string().describe('The token, PASETO v4.public. It is shown once and stored nowhere.');
const jti = z.string().describe('Id of the token, prefix tok_; revoking needs it.');
const expiresAt = answeredInstant.describe('When the token ends, RFC 3339 UTC.');
const tier = z.enum(CALLER_TIERS).describe('Service tier of the caller.');
const caps = z
  .array(capabilityPattern)
  .max(MAX_TOKEN_CAPS)
  .optional()
  .describe(
    'Capabilities that the token is narrowed to, by name, family (forget.*) or *; default those of the caller. Unknown ones are refused with 422, those that the caller does not hold with 403.',
  );

/** Body of a sign-up. */
export const signupRequest = z.strictObject({
  source: nameText(256).optional().describe('What the caller signs up with, such as the name of a program.'),
  email: nameText(320)
    .optional()
    .describe('An address of the person, kept with the tenant; it is not checked.'),
  display_name: nameText(256).optional().describe('A name of the person, kept with the tenant.'),
});
export type SignupRequest = z.output<typeof signupRequest>;

/** Answer of a sign-up. */
export const signupResponse = z.strictObject({
  token,
  jti,
  expires_at: expiresAt,
  user_id: z
    .string()
    .describe('Actor id of the new caller, the subject of the token; also a scope of its own.'),
  scope: z.string().describe('Scope that the new caller owns: org:u_<id>/user:u_<id>.'),
  tier,
});
export type SignupResponse = z.output<typeof signupResponse>;

/** Body of a mint. */
export const mintRequest = z.strictObject({
  subject: actorId.describe('Actor that the token is for.'),
  scope: scopePath
    .optional()
    .describe(
      'Where the capability auth.mint is asked for; default anywhere. It does not confine the token.',
    ),
  ttl_seconds: z
    .int()
    .default(DEFAULT_TOKEN_TTL_S)
    .transform((seconds) => Math.min(Math.max(seconds, MIN_TOKEN_TTL_S), MAX_TOKEN_TTL_S))
    .describe(
      `Life of the token in seconds, ${MIN_TOKEN_TTL_S} to ${MAX_TOKEN_TTL_S}; what lies outside is moved to the nearer end.`,
    ),
  caps,
  capabilities: caps.describe('Another name of `caps`; give one of the two.'),
  scopes: z
    .array(z.string().max(MAX_ENTRY_LENGTH))
    .max(MAX_TOKEN_SCOPES)
    .optional()
    .describe(
      'Confines the token: entries <capability>:<scope path>, with /* behind the path for everything below too; default those of the caller. A capability may then be used only where an entry covers it.',
    ),
});
export type MintRequest = z.output<typeof mintRequest>;

/** Answer of a mint. */
export const mintResponse = z.strictObject({ token, jti, expires_at: expiresAt });
export type MintResponse = z.output<typeof mintResponse>;

/** Body of a revocation. */
export const revokeRequest = z.strictObject({
  jti: tokenId,
  reason: nameText(1024).optional().describe('Why, kept with the revocation.'),
});

/** Who calls, and what it may do. */
export const whoami = z.strictObject({
  caller: z.string().describe('Actor id of the caller.'),
  tenant_id: z.string().describe('Tenant that the caller reads and writes.'),
  deployment_preset: z.enum(DEPLOYMENT_PRESETS).describe('Policy preset of the deployment.'),
  token: z
    .strictObject({
      jti: z.string().nullable().describe('Id of the token; null without one.'),
      iss: z
        .string()
        .describe('Issuer of the token; static-api-key for the operator key, auth-disabled without either.'),
      exp: z.int().describe('When it ends, Unix seconds; 253402300799 for never.'),
    })
    .describe('The credential.'),
  effective_capabilities: z
    .array(z.string())
    .describe('Capabilities that policy and token leave the caller; scopes may narrow them further.'),
  actor: z.string().describe('The same as `caller`.'),
  tier,
  expires_at: answeredInstant.describe('When the credential ends, RFC 3339 UTC.'),
});
export type Whoami = z.output<typeof whoami>;
