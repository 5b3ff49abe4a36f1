import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasCode } from '../machine/files.ts';

/** A loopback port nobody listens on at the moment; the preferred one where that is still so. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    server.listen(preferred, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('a TCP server without a port');
    server.close();
    await once(server, 'close');
    return address.port;
  } catch (error) {
    if (preferred !== 0 && hasCode(error, 'EADDRINUSE')) return freePort();
    throw error;
  }
}
