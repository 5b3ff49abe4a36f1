import { mintRequest, mintResponse, revokeRequest, signupRequest, signupResponse, whoami } from '../token.ts';
import type { Operation } from './definition.ts';

/** Operations on tokens. */
export const TOKEN_OPERATIONS = {
  signup: {
    method: 'POST',
    path: '/v1/auth/signup',
    noun: 'auth',
    summary: 'Sign up',
    description:
      'Makes a tenant with one actor, who owns two scopes in it, and answers a token of the tier free that lives seven days.',
    access: { open: 'Who signs up holds no credentials yet.' },
    signsUp: true,
    body: { schema: signupRequest, required: false, cap: 'auth' },
    answers: { 201: { description: 'The token of the new actor.', schema: signupResponse } },
    errors: ['NOT_CONFIGURED', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
    graphql: {
      reason:
        'GraphQL recognises a caller before it reads a document, and who signs up holds no credentials yet.',
    },
  },
  mintToken: {
    method: 'POST',
    path: '/v1/auth/tokens',
    noun: 'auth',
    summary: 'Mint a token',
    description:
      'A token for an actor of the tenant that the caller has selected. It never allows more than the caller may: what is left out is as the caller has it, naming what the caller does not hold is refused.',
    access: { capability: 'auth.mint' },
    audited: true,
    body: { schema: mintRequest, required: true, cap: 'auth' },
    answers: { 201: { description: 'The token.', schema: mintResponse } },
    errors: ['NOT_CONFIGURED'],
    graphql: { kind: 'mutation', field: 'mintToken' },
  },
  whoami: {
    method: 'GET',
    path: '/v1/auth/whoami',
    noun: 'auth',
    summary: 'Who calls',
    description: 'The caller, its tenant, its credential, and the capabilities that it has.',
    access: { caller: 'It tells the caller only what the caller itself is.' },
    answers: { 200: { description: 'Who calls.', schema: whoami } },
    errors: [],
    graphql: { kind: 'query', field: 'whoami' },
  },
  revokeToken: {
    method: 'POST',
    path: '/v1/auth/revoke',
    noun: 'auth',
    summary: 'Revoke a token',
    description:
      'From now on, and within a second in every process, the token is refused, and its streams and sockets end. Whoever holds a token may revoke it; other tokens of the tenant need the capability. The operator revokes in every tenant. A jti that is not known is revoked like any other.',
    access: {
      caller: 'Whoever holds a token may revoke it; for any other the service asks for auth.revoke.',
    },
    audited: true,
    body: { schema: revokeRequest, required: true, cap: 'auth' },
    answers: { 204: { description: 'The token is revoked.', empty: true } },
    errors: ['POLICY_DENIED'],
    graphql: { kind: 'mutation', field: 'revokeToken' },
  },
} as const satisfies Record<string, Operation>;
