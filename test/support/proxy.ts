import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy that can play an address whose machine has gone. */
export interface Proxy {
  readonly port: number;
  /** Breaks every connection and refuses new ones, as a server that was stopped. */
  refuse(): Promise<void>;
  /** Keeps connections and takes new ones, but passes nothing on, as a network that lost its way. */
  swallow(): void;
  /** Passes everything on again; what was swallowed is lost, so those connections are broken. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy on a free loopback port to another loopback port. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let passes = true;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((inward) => {
    const outward = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      track(from);
      from.on('data', (chunk) => {
        if (passes) to.write(chunk);
      });
      from.once('close', () => to.destroy());
      // A broken end is what this proxy is for; the other end learns of it by the close.
      from.on('error', () => to.destroy());
    }
  });
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    breakAll();
    await closed;
  };
  return {
    port,
    refuse: stop,
    swallow: () => {
      passes = false;
    },
    restore: async () => {
      passes = true;
      breakAll();
      if (!server.listening) await listen(server, port);
    },
    close: stop,
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
