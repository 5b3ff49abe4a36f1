import type { Routes } from './handler.ts';
import type { ForgetOperations } from '../src/services/forget-operations.ts';
import type { FORGET_OPERATIONS } from '../schemas/operation/forget.ts';

/** Routes that forget. */
export function forgetRoutes(forget: ForgetOperations): Pick<Routes, keyof typeof FORGET_OPERATIONS> {
  return {
    forget: async ({ call, body }) => ({ status: 200, body: await forget.forget(call, body) }),
    previewForget: async ({ call, body }) => ({ status: 200, body: await forget.preview(call, body) }),
  };
}
