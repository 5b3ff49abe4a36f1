import type { Capability } from '../../schemas/policy.ts';
import type { Call, Credentials, Principal } from './access.ts';

/** One showing of credentials: from where, and for what. */
export interface Attempt {
  /** Where it comes from, by the proxies that are believed. */
  readonly address: string;
  /** `POST /v1/experience`; on a socket `GraphQL connection_init`. */
  readonly endpoint: string;
  /** `req_…`. */
  readonly requestId: string;
  /** When it came in, milliseconds of the process's own clock. */
  readonly began: number;
}

/** Recognising callers. */
export interface Authenticator {
  /** The caller behind credentials; throws the 401 codes. */
  authenticate(credentials: Credentials, attempt?: Attempt): Promise<Principal>;
  /**
   * The gate of every operation, before anything of it is read: whether the caller may use its capability (of several any) at all,
   * in whatever scope. Throws `POLICY_DENIED`.
   */
  admit(call: Call, ...capabilities: readonly [Capability, ...Capability[]]): Promise<void>;
}
