import { connect, type Socket } from 'node:net';

/** A connection that a test writes bytes into at its own pace. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** Everything that was received until the other side closed the connection. */
  readonly answer: Promise<string>;
  destroy(): void;
}

/** Opens a connection to a service; rejects when it is refused. */
export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const answer = new Promise<string>((resolve) => {
    // A reset ends the connection as well; what came before it is the answer.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
  return {
    write: (bytes) => socket.write(bytes),
    answer,
    destroy: () => socket.destroy(),
  };
}
