import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { StrataError } from '../src/errors.ts';
import {
  BODY_LEAST_BYTES_A_SECOND,
  BODY_PACE_MS,
  GZIP_FREE_BYTES,
  MAX_GZIP_RATIO,
} from '../src/limits/bodies.ts';
import type { ReadingRoom } from '../src/services/reading-room.ts';
import { ByteBlocks } from './byte-blocks.ts';
import { tooDense, tooLarge } from './too-large.ts';
import { Unpacking } from './unpacking.ts';

/** How fast a body has to come. */
export interface BodyPace {
  /** How often that is looked at, milliseconds. */
  readonly everyMs: number;
  /** Bytes of the wire in each second between two looks. */
  readonly leastBytesASecond: number;
}

/** The pace of bodies as it stands in src/limits. */
export const BODY_PACE: BodyPace = { everyMs: BODY_PACE_MS, leastBytesASecond: BODY_LEAST_BYTES_A_SECOND };

/** What the reading of a body is held to. */
export interface BodyBounds {
  readonly limitBytes: number;
  /** Whether it is gzip. */
  readonly packed: boolean;
  readonly room: ReadingRoom;
  readonly pace: BodyPace;
}

/** A body that was read. */
export interface WholeBody {
  readonly bytes: Buffer;
  /** SHA-256 of them, hex. */
  readonly sha256: string;
}

/** Reads one body. Never destroys the request, which is a connection with an answer to carry. */
export class BodyReading {
  private readonly request: IncomingMessage;
  private readonly unpacking: Unpacking | null;
  private readonly bounds: BodyBounds;
  private readonly blocks: ByteBlocks;
  private readonly hash = createHash('sha256');
  private bytes = 0;
  /** Bytes that came over the wire, and those of them that had come at the last look. */
  private wireBytes = 0;
  private wireBytesBefore = 0;
  private end: (error: Error | null) => void = () => undefined;

  constructor(request: IncomingMessage, bounds: BodyBounds) {
    this.request = request;
    this.bounds = bounds;
    this.unpacking = bounds.packed ? new Unpacking(request) : null;
    this.blocks = new ByteBlocks(
      (bytes) => {
        bounds.room.grow(bytes);
      },
      (bytes) => this.hash.update(bytes),
    );
  }

  /** All of it, once. Throws what ends it early: a refusal, or that the client is gone. */
  async whole(): Promise<WholeBody> {
    const { room, pace } = this.bounds;
    const look = setInterval(this.look, pace.everyMs);
    try {
      await new Promise<void>((resolve, reject) => {
        this.end = (error) => {
          if (error === null) resolve();
          else reject(error);
        };
        room.whenLost(this.end);
        this.listen();
      });
      const beyond = this.blocks.heldBytes - this.bytes;
      const bytes = this.blocks.take();
      room.shrink(beyond);
      room.arrived();
      return { bytes, sha256: this.hash.digest('hex') };
    } finally {
      clearInterval(look);
      this.leave();
    }
  }

  private listen(): void {
    const { request, unpacking } = this;
    request.on('data', this.onWire).on('close', this.onClose).on('error', this.onError);
    if (unpacking === null) request.on('data', this.onData).on('end', this.onEnd);
    else {
      request.on('end', this.onWireEnd);
      unpacking.output.on('data', this.onData).on('end', this.onEnd).on('error', this.onError);
    }
  }

  /** What is still on its way is thrown away. */
  private leave(): void {
    const { request, unpacking } = this;
    this.end = () => undefined;
    for (const source of [request, unpacking?.output]) {
      source
        ?.off('data', this.onWire)
        .off('data', this.onData)
        .off('end', this.onWireEnd)
        .off('end', this.onEnd)
        .off('close', this.onClose);
      // Late errors of what nobody reads any more concern nobody.
      source?.off('error', this.onError).on('error', () => undefined);
    }
    unpacking?.output.destroy();
    this.blocks.drop();
    request.resume();
  }

  private readonly onWire = (chunk: Buffer): void => {
    const { limitBytes, room } = this.bounds;
    this.wireBytes += chunk.length;
    room.came(chunk.length);
    if (this.wireBytes > limitBytes) this.end(tooLarge(limitBytes));
    else this.unpacking?.write(chunk);
  };

  private readonly onWireEnd = (): void => {
    this.unpacking?.end();
  };

  private readonly onData = (chunk: Buffer): void => {
    const { limitBytes, packed } = this.bounds;
    this.bytes += chunk.length;
    try {
      if (this.bytes > limitBytes) throw tooLarge(limitBytes);
      if (packed && this.bytes > GZIP_FREE_BYTES + MAX_GZIP_RATIO * this.wireBytes) throw tooDense();
      this.blocks.add(chunk);
    } catch (error) {
      this.end(error as Error);
    }
  };

  private readonly onEnd = (): void => {
    this.end(null);
  };

  private readonly onClose = (): void => {
    if (!this.request.complete) this.end(new ClientGone());
  };

  private readonly onError = (error: Error): void => {
    // A connection that breaks off is the only other thing that ends a body early.
    const isPacking =
      this.unpacking !== null && (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    this.end(isPacking ? notGzip(error) : new ClientGone());
  };

  private readonly look = (): void => {
    const { everyMs, leastBytesASecond } = this.bounds.pace;
    const came = this.wireBytes - this.wireBytesBefore;
    this.wireBytesBefore = this.wireBytes;
    if (this.request.complete || came >= (leastBytesASecond * everyMs) / 1000) return;
    this.end(tooSlow(leastBytesASecond));
  };
}

function notGzip(cause: Error): StrataError {
  return new StrataError('INVALID_BODY', 'the body is not what gzip makes', { cause });
}

function tooSlow(leastBytesASecond: number): StrataError {
  return new StrataError(
    'REQUEST_TIMEOUT',
    `fewer than ${leastBytesASecond} bytes of the body came in each second; nothing was written. Send it again.`,
    { details: { reason: 'pace', least_bytes_per_second: leastBytesASecond } },
  );
}

/** The client closed the connection before its request was whole or its answer was out; there is nobody to answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client went away');
    this.name = 'ClientGone';
  }
}
