import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sendAnswer } from '../../rest/send-answer.ts';
import type { Answer } from '../../rest/handler.ts';
import { startRig } from './harness.ts';

const streams = { heartbeatMs: 15_000, ending: new AbortController().signal };

/** A server that answers everything with one answer, through Express as the routes do. */
async function answering(answer: Answer): Promise<{ server: Server; port: number }> {
  const { default: express } = await import('express');
  const app = express();
  app.use((request, response) => sendAnswer(request, response, answer, streams));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

async function ask(port: number, method: string): Promise<{ headers: object; text: string; status: number }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ headers: response.headers, text, status: response.statusCode ?? 0 });
      });
    });
    request.on('error', reject).end();
  });
}

describe('an answer', () => {
  it('in a format of its own goes out as it is', async () => {
    const contentType = 'text/plain; version=0.0.4; charset=utf-8';
    const { server, port } = await answering({ status: 200, contentType, text: 'größe 1\n' });
    expect(await ask(port, 'GET')).toMatchObject({
      status: 200,
      text: 'größe 1\n',
      headers: { 'content-type': contentType, 'content-length': '10' },
    });
    expect((await ask(port, 'HEAD')).text).toBe('');
    server.close();
  });

  it('as JSON keeps its status and its headers', async () => {
    const rig = await startRig();
    const answer = await rig.send('GET', '/v1/health');
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    await rig.stop();
  });
});
