import type { ConnectionLimits, ConnectionOptions } from './socket-connection.ts';
import type { Log } from '../src/log.ts';
import type { Ids } from '../src/ids.ts';
import type { StrataError } from '../src/errors.ts';
import type { Principal } from '../src/services/access.ts';
import type { IncomingMessage } from 'node:http';
import type { RateGate } from './rate.ts';
import type { DocumentRules } from './socket-execution.ts';

/** What the sockets are built from. */
export interface SocketOptions {
  readonly rules: DocumentRules;
  readonly rates: RateGate;
  /** Bounds the bytes of operations, as those of bodies over HTTP; without it nothing does. */
  readonly bodies?: ConnectionOptions['bodies'];
  /** The caller behind the upgrade request and the payload of `connection_init`; throws the 401 codes. */
  readonly recognise: (
    request: IncomingMessage,
    payload: Record<string, unknown> | undefined,
    attempt: SocketAttempt,
  ) => Promise<Principal>;
  /** Whether callers are still good, and when they are no longer; default: they always are. */
  readonly callers?: SocketCallers;
  /** Why an operation is not begun because the process is overloaded; default: it never is. */
  readonly shedder?: { refusalOf(transport: 'websocket'): StrataError | null };
  readonly readJson: ConnectionOptions['readJson'];
  /** Told of each query and mutation that was answered, each subscription that began, and each refused document. */
  readonly onAnswered?: (answered: SocketAnswer) => void;
  /** Headers of the answer that opens a socket, beside those of the protocol; default none. */
  readonly upgradeHeaders?: Readonly<Record<string, string>>;
  readonly ids: Ids;
  readonly log: Log;
  /** Replaces single bounds; default those of src/limits.ts. */
  readonly limits?: Partial<SocketLimits>;
}

/** Bounds of the sockets of a process. */
export interface SocketLimits extends ConnectionLimits {
  readonly sockets: number;
  readonly initMs: number;
  readonly messageBytes: number;
  readonly pingMs: number;
  readonly closeMs: number;
}

/** One answer, to count it by. */
export interface SocketAnswer {
  /** The name of the one top-level field, `several` for more, `unmatched` for a document that was refused. */
  readonly operation: string;
  /** What HTTP would have answered. */
  readonly status: number;
  readonly seconds: number;
}

/** Knows when the token of a caller is no longer good. */
export interface SocketCallers {
  /** What the caller would be refused with now; null while it is good. */
  refusalOf(principal: Principal): StrataError | null;
  /** Calls `onEnd` once when it is no longer; until the answered function is called. */
  watch(principal: Principal, onEnd: (end: StrataError) => void): () => void;
}

/** Where a caller that is to be recognised comes from. */
export interface SocketAttempt {
  readonly address: string;
  /** `req_…`, made for it. */
  readonly requestId: string;
  /** When the socket was opened, milliseconds of the process's own clock. */
  readonly began: number;
}
