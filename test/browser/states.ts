import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { message, send, TEST_KEY } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { startServiceProcess } from '../support/processes.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { startThrowawayNeo4j } from '../support/throwaway-neo4j.ts';
import { eventually } from '../support/wait.ts';
import { READING, readersToken } from './acts-stories.ts';
import { proveCage, startCaged } from './chromium.ts';
import { Explorer } from './explorer.ts';

const YARD = 'org:yard';
const SCOPE = 'org:yard/user:mara';
/** To read and to follow. */
const CAPABILITIES = [...READING, 'lifecycle.subscribe'];
/** Least life of a token, seconds. */
const TOKEN_LIFE_S = 60;
/** A token that is about to end, and a page that tries again within half a minute. */
const PATIENCE_MS = 120_000;

/** Ways to the service, and from it to its database, that can be cut. */
interface Ways {
  readonly url: string;
  readonly service: Proxy;
  readonly database: Proxy;
}

/**
 * What somebody sees who may not read everything, whose connection breaks, whose service loses its database, and whose token ends: the page
 * says so and goes on. Answers what is wrong with that.
 */
export async function visitStates(
  executable: string,
  pictureOf: (page: Page) => (name: string) => Promise<void>,
): Promise<string[]> {
  return withWays(async (ways) => {
    const cage = await startCaged(executable, ways.url);
    try {
      await proveCage(cage);
      const page = await cage.context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const explorer = new Explorer(page, pictureOf(page));
      const found = await visit(explorer, ways).catch(async (error: unknown) => {
        await pictureOf(page)('failed-states');
        throw error;
      });
      return [...found, ...cage.faults.filter((fault) => !isOfTheState(fault))];
    } finally {
      await cage.close();
    }
  });
}

/** What the browser itself notes of a connection that is cut, of an answer that the database is away, and of a token that has ended. */
function isOfTheState(fault: string): boolean {
  return /^console: .*(net::ERR_|status of (401|403|503)|WebSocket connection to )/.test(fault);
}

async function withWays<T>(work: (ways: Ways) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'strata-states-'));
  const neo4j = await startThrowawayNeo4j(join(data, 'neo4j'));
  const database = await startProxy(Number(new URL(neo4j.uri).port));
  try {
    const service = await startServiceProcess({
      STRATA_DATA_DIR: join(data, 'strata'),
      STRATA_API_KEY: TEST_KEY,
      STRATA_V1_MINTER_ENABLE: '1',
      STRATA_LOG_LEVEL: 'error',
      STRATA_NEO4J_STATEMENT_TIMEOUT_MS: '5000',
      // bolt, since neo4j:// would ask the server for its own address and go past the proxy.
      NEO4J_URI: `bolt://127.0.0.1:${database.port}`,
      NEO4J_USER: neo4j.user,
      NEO4J_PASSWORD: neo4j.password,
    });
    const front = await startProxy(Number(new URL(service.url).port));
    try {
      return await work({ url: `http://127.0.0.1:${front.port}`, service: front, database });
    } finally {
      await front.close();
      await service.stop();
    }
  } finally {
    await database.close();
    await neo4j.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function visit(explorer: Explorer, ways: Ways): Promise<string[]> {
  await capture(ways, message(YARD, 'The slipway is closed until Friday.'));
  await capture(ways, statement(SCOPE, ['ent_mara', 'lives_in', 'ent_turin'], { valid_from: '2026-01-01' }));
  const found = await withheld(explorer, ways);
  found.push(...(await cut(explorer, ways)));
  found.push(...(await databaseAway(explorer, ways)));
  found.push(...(await ended(explorer)));
  return found;
}

async function capture({ url }: Ways, body: object): Promise<void> {
  const key = randomUUID();
  // A database that has just been started is slow, and one that was away is not there at once.
  await eventually('a capture', async () => {
    const { status, text } = await send(url, 'POST', '/v1/experience?wait=consolidated', {
      body: { ...body, idempotency_key: key },
    });
    if (status >= 300 && status !== 503) throw new Error(`a capture was answered ${status}: ${text}`);
    return status < 300;
  });
}

/** Who may read one scope is told that there are others, and not what is in them. */
async function withheld(explorer: Explorer, { url }: Ways): Promise<string[]> {
  const token = await readersToken(url, {
    subject: 'user:mara',
    ttl_seconds: TOKEN_LIFE_S,
    caps: CAPABILITIES,
    scopes: CAPABILITIES.map((cap) => `${cap}:${SCOPE}/*`),
  });
  await explorer.open(url);
  await explorer.signIn(token);
  await explorer.heading('Home').waitFor();
  await explorer.openAddress(`#/time?scope=${SCOPE}`);
  await explorer
    .link(/^ent_mara lives in ent_turin/)
    .first()
    .waitFor();
  await explorer.openAddress(`#/recall?scope=${SCOPE}&q=turin&view=holistic`);
  await explorer.sees('1 scope withheld');
  await explorer.sees('No model answers here.');
  const found = await explorer.look('states-1-withheld');
  await explorer.openAddress(`#/time?scope=${YARD}`);
  await explorer.sees('POLICY_DENIED');
  if (await explorer.page.getByText('slipway').first().isVisible())
    found.push('states: what may not be read is shown');
  return [...found, ...(await explorer.look('states-2-refused'))];
}

/** Between the page and the service nothing passes, and then it does again. */
async function cut(explorer: Explorer, ways: Ways): Promise<string[]> {
  await explorer.openAddress(`#/time?scope=${SCOPE}`);
  await explorer.button('Follow live').click();
  await explorer.isLive();
  await ways.service.refuse();
  await explorer.sees('The next try comes within');
  const found = await explorer.look('states-3-cut');
  await explorer.button('Try now').click();
  await explorer.sees('The next try comes within');
  await ways.service.restore();
  await isOnline(explorer);
  await capture(ways, message(SCOPE, 'The line is back.'));
  await explorer
    .link(/The line is back/)
    .first()
    .waitFor();
  return found;
}

/** The service is there and its database is not, and then it is again. */
async function databaseAway(explorer: Explorer, { database }: Ways): Promise<string[]> {
  await database.refuse();
  await explorer.openAddress(`#/timeline?scope=${SCOPE}`);
  await explorer.sees('The next try comes within');
  const found = await explorer.lookNow('states-4-database-away');
  await database.restore();
  await isOnline(explorer);
  await explorer
    .link(/The line is back/)
    .first()
    .waitFor();
  return found;
}

/** Waits until the page has reached the service again by itself. */
async function isOnline(explorer: Explorer): Promise<void> {
  await explorer.page.getByText('The next try comes within').waitFor({ state: 'hidden' });
}

/** The token ends while the page rests: it asks for another one and goes on where it was. */
async function ended(explorer: Explorer): Promise<string[]> {
  await explorer.sees('Sign in again');
  const found = await explorer.lookNow('states-5-ended');
  await explorer.signIn(TEST_KEY);
  await explorer.page.getByText('Sign in again').waitFor({ state: 'hidden' });
  await explorer
    .link(/The line is back/)
    .first()
    .waitFor();
  return found;
}
