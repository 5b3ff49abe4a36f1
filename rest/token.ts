import type { Routes } from './handler.ts';
import type { TokenOperations } from '../src/services/operations.ts';

/** Routes of tokens. */
export function tokenRoutes(
  token: TokenOperations,
): Pick<Routes, 'signup' | 'mintToken' | 'whoami' | 'revokeToken'> {
  return {
    signup: async ({ body }) => ({ status: 201, body: await token.signup(body) }),
    mintToken: async ({ call, body }) => ({ status: 201, body: await token.mint(call, body) }),
    whoami: ({ call }) => ({ status: 200, body: token.whoami(call) }),
    revokeToken: async ({ call, body }) => {
      await token.revoke(call, body);
      return { status: 204, empty: true };
    },
  };
}
