import type { DatabaseAddress } from '../../src/context.ts';
import { message, type Client } from './client.ts';
import { statement } from './facts.ts';
import { startTestService } from './service.ts';

const SCOPE = 'org:warm/user:up';
const TRIES = 10;

/** Sends what most tests send, until it is answered: a database that has just started plans each statement first, which takes seconds. */
export async function warmUp(database: DatabaseAddress): Promise<void> {
  const service = await startTestService({}, { database });
  try {
    await warmUpBy(service);
  } finally {
    await service.stop();
  }
}

/** The same by a service that runs. */
export async function warmUpBy(service: Client): Promise<void> {
  const answered = async (path: string, body: object): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, text } = await service.post(path, body);
      if (status < 300) return;
      if (status !== 503 || attempt === TRIES)
        throw new Error(`${path} was answered ${status} by a database that has just started: ${text}`);
    }
  };
  await answered('/v1/experience?wait=indexed', message(SCOPE, 'The harbour is open'));
  const triple = statement(SCOPE, ['ent_harbour', 'lies in', 'ent_lisbon'], { valid_from: '2026-01-01' });
  await answered('/v1/experience?wait=consolidated', triple);
  await answered('/v1/recall', { scope: SCOPE, query: 'harbour' });
}
