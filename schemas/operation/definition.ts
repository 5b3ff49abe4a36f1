import type { z } from 'zod';

import type { ErrorCode } from '../error.ts';
import type { Capability } from '../policy.ts';
import type { Noun } from '../tag.ts';

/** At most this many characters in an id that stands in a path; a longer one names nothing. */
export const MAX_PATH_ID_LENGTH = 256;

/** Who may use an operation. */
export type OperationAccess =
  /** An authenticated caller; services ask the policy for this capability in the scope concerned. */
  | { readonly capability: Capability }
  /** An authenticated caller who may use one of them somewhere; which one a request needs, its body says, and services ask for that. */
  | { readonly anyOf: readonly [Capability, Capability, ...Capability[]] }
  /** An authenticated caller, whatever it may do, for the reason given. */
  | { readonly caller: string }
  /** Everybody, for the reason given. With `identifies`, credentials that are good make a caller, bad ones nobody. */
  | { readonly open: string; readonly identifies?: true };

/** The caps of bodies: 64 KiB for what is about tokens, 4 MiB for one record, 64 MiB for many. */
export type BodyCap = 'auth' | 'single' | 'bulk';

/** The body that an operation takes. */
export interface OperationBody {
  readonly schema: z.ZodType;
  /** False when a request without a body means `{}`. */
  readonly required: boolean;
  readonly cap: BodyCap;
  /** True when the items of the lists that are its fields are taken apart one by one, so that it may hold more values. */
  readonly itemwise?: true;
  /** True when an empty body labelled JSON is refused with 400, though a body is not required. */
  readonly refusesEmptyJson?: true;
}

/** One successful answer. */
export interface OperationAnswer {
  readonly description: string;
  /** Schema of the JSON body; left out when the body is a document described elsewhere. */
  readonly schema?: z.ZodType;
  /** Media type of a body that is no JSON. */
  readonly mediaType?: string;
  /** Further media types of such a body, by what the request asks for. */
  readonly otherMediaTypes?: readonly string[];
  /** True when the answer has no body. */
  readonly empty?: true;
  /** A further media type in which the answer comes as text unless JSON is asked for. */
  readonly alsoAs?: string;
  /** Where to go on: parameters of other operations by operation id, taken from this answer's body. */
  readonly next?: Readonly<Record<string, AnswerLink>>;
}

/** Parameters of an operation (by name, as a JSON pointer into an answer) that an answer gives values for. */
export type AnswerLink = Readonly<Record<string, `/${string}`>>;

/** One operation of the service, as data. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its parameters in braces. */
  readonly path: `/v1/${string}`;
  /** A second path under which it is served, with the same parameters. */
  readonly alias?: `/v1/${string}`;
  /** Group in the documentation: the noun. */
  readonly noun: Noun;
  /** A few words. */
  readonly summary: string;
  /** Contract sentences. */
  readonly description: string;
  readonly access: OperationAccess;
  /** True for what supervisors and monitoring ask: it is answered while other work is refused because there is too much of it. */
  readonly probe?: true;
  /** What it counts as against the rate of its caller, where its method does not say: a GET is a read, all else a write. */
  readonly rate?: 'read' | 'write';
  /** True when it counts against the sign-ups of its address, which are asked about before its body is read. */
  readonly signsUp?: true;
  /**
   * True when the operation leaves a row in the audit log when it succeeds; a refused one always does. `unless_off`: not where every scope
   * that it reads or writes states `audit: off`, which keeps no row of what changes rights, or takes away or holds what is stored.
   */
  readonly audited?: true | 'unless_off';
  /** Meaning of each path parameter. */
  readonly params?: Readonly<Record<string, string>>;
  /** What the path parameter names, where it is not the noun. */
  readonly named?: string;
  /** Error of a path parameter that is too long to name anything; default NOT_FOUND. */
  readonly missing?: ErrorCode;
  /** Query parameters; none are accepted when left out. */
  readonly query?: z.ZodObject;
  /** Query parameters of which one must be given; without any of them the service refuses in plain text. */
  readonly needsOneOf?: readonly string[];
  /** Query parameters whose repetition the service refuses in plain text. */
  readonly repeatedAsText?: readonly string[];
  /** Fields of the body whose wrong type the service refuses in plain text. */
  readonly wrongTypeAsText?: readonly string[];
  /** True when the service refuses an unknown field of the body in plain text. */
  readonly unknownAsText?: true;
  /** True when a client may say by `Last-Event-ID` what it has seen last. */
  readonly resumes?: true;
  readonly body?: OperationBody;
  /** True when the body is bytes of any media type, which are taken as they are; at most 32 MiB. */
  readonly bytes?: true;
  /** True when the request names a key: REST by the header `X-Strata-Idempotency-Key`, GraphQL by the argument `key`. */
  readonly keyed?: true;
  /** Answers by status. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Error codes beside those that every operation of its kind may answer. */
  readonly errors: readonly ErrorCode[];
  /** Shape of the body with `NOT_FOUND`, with an example, where a protocol has one of its own. */
  readonly notFound?: { readonly schema: z.ZodType; readonly example: object };
  /**
   * Set on what the contract has and this release has not: whoever passes the gate is answered this code, whatever else the request holds. Such
   * an operation has no answers, no handler and no example.
   */
  readonly off?: {
    readonly code: ErrorCode;
    /** The message. */
    readonly why: string;
  };
  /** Codes that this operation answers with another status than their own in some case. */
  readonly otherStatuses?: readonly {
    readonly code: ErrorCode;
    readonly status: number;
    readonly when: string;
  }[];
  /** The GraphQL field that does the same, or why there is none. */
  readonly graphql:
    | {
        readonly kind: 'query' | 'mutation' | 'subscription';
        readonly field: string;
        /** Shape of the field, where it is not that of the answer. */
        readonly answer?: z.ZodType;
      }
    | { readonly reason: string };
}
