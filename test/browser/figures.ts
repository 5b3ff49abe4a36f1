import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Locator, Page } from 'playwright-core';

import { MOST_PAGES } from '../../src/explorer/views/time/choice.ts';
import { Envelopes } from '../bench/envelopes.ts';
import { Service } from '../bench/service.ts';
import { median } from '../bench/statistics.ts';
import { person, Statements } from '../bench/statements.ts';
import { send, TEST_KEY } from '../support/client.ts';
import { startCaged } from './chromium.ts';

const SCOPE = 'org:large/project:one';
/** One event of so many is a statement, the others are talk. */
const STATEMENT_EVERY = 10;
const BULK = 500;
const ROUNDS = 3;
const PATIENCE_MS = 300_000;
/** A task so long is one in which the page answers nobody, milliseconds: what browsers call a long task. */
const LONG_TASK_MS = 50;
/** How often the picture is pulled, and turned nearer. */
const MOVES = 40;

/** Long tasks of a page since it was opened, milliseconds each. */
const WATCH_TASKS = `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true });`;

/** What of a view has to be there before it is of use; `FACT` stands for the id of a fact. */
const VIEWS: readonly (readonly [name: string, view: string, isThere: (page: Page) => Locator])[] = [
  ['Home', 'home', (page) => page.getByText('caught up').first()],
  ['Scopes', 'scopes', (page) => page.getByText('What you may do').first()],
  ['Timeline', 'timeline', (page) => page.getByRole('main').getByRole('listitem').first()],
  [
    'Entity',
    'entity',
    (page) =>
      page
        .getByRole('main')
        .getByText(/^person-\d/)
        .first(),
  ],
  ['Entity of one', `entity?id=${person(1)}`, (page) => page.locator('.entity-history').first()],
  ['Time', 'time', (page) => page.locator('.graph-drawing canvas').first()],
  ['Why', 'why?id=FACT', (page) => page.locator('.why-canvas canvas').first()],
  ['Recall', 'recall?q=lives+in', (page) => page.locator('.hit').first()],
  ['Forget', 'forget', (page) => page.getByRole('button', { name: 'Look what would go' })],
  ['Audit', 'audit', (page) => page.locator('.audit-when').first()],
  ['Conflicts', 'conflicts', (page) => page.getByRole('heading', { name: 'Conflicts', level: 1 })],
];

/**
 * What the explorer takes with a scope of so many events: until each view is of use, and, with 10,000 nodes drawn and moved, how long the page
 * answers nobody. Answers a line for each figure.
 */
export async function measureExplorer(executable: string, events: number): Promise<string[]> {
  const data = mkdtempSync(join(tmpdir(), 'strata-figures-'));
  const service = await Service.start(data, null);
  try {
    await fill(service, events);
    const { context, close } = await startCaged(executable, service.url);
    try {
      await context.addInitScript(
        `sessionStorage.setItem('strata.credential', '${TEST_KEY}');\n${WATCH_TASKS}`,
      );
      return [...(await firstViews(context, service.url)), ...(await manyNodes(context, service.url))];
    } finally {
      await close();
    }
  } finally {
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function fill(service: Service, events: number): Promise<void> {
  const statements = Math.floor(events / STATEMENT_EVERY);
  const stated = new Statements('stated', { people: Math.ceil(statements / STATEMENT_EVERY) });
  const said = new Envelopes('said');
  for (let at = 0; at < events; at += BULK) {
    const items = Array.from({ length: Math.min(BULK, events - at) }, (_, i) =>
      (at + i) % STATEMENT_EVERY === 0 ? stated.next(SCOPE) : said.next(SCOPE),
    );
    const { status, text } = await send(service.url, 'POST', '/v1/experience/bulk', { body: { items } });
    if (status >= 300) throw new Error(`events were refused: ${text}`);
  }
  await service.settled([SCOPE]);
}

async function open(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(address, { waitUntil: 'commit' });
  return page;
}

/** Each view as it is opened by its address, in a tab of its own. */
async function firstViews(context: BrowserContext, url: string): Promise<string[]> {
  const lines: string[] = [];
  const { json } = await send(url, 'GET', `/v1/facts?scope=${SCOPE}&limit=1`);
  const fact = json.items[0].id as string;
  for (const [name, view, isThere] of VIEWS) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const asked = `${view.replace('FACT', fact)}${view.includes('?') ? '&' : '?'}scope=${SCOPE}`;
      const page = await open(context, `${url}/#/${asked}`);
      await isThere(page).waitFor({ state: 'attached' });
      took.push(performance.now() - began);
      await page.close();
    }
    lines.push(`${name}: ${inMs(median(took))} until it is of use (${took.map(inMs).join(', ')})`);
  }
  return lines;
}

/** All that is drawn at once, some more than ten thousand nodes with what their edges end in, is read, drawn and moved. */
async function manyNodes(context: BrowserContext, url: string): Promise<string[]> {
  const began = performance.now();
  const page = await open(context, `${url}/#/time?scope=${SCOPE}&pages=${MOST_PAGES}`);
  await page
    .getByText(/^1\d,\d{3} nodes/)
    .first()
    .waitFor();
  const readMs = performance.now() - began;
  const reading = await longTasks(page);
  const canvas = page.locator('.graph-drawing canvas').last();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('nothing is drawn');
  await longTasks(page);
  const moved = performance.now();
  await pull(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const moveMs = performance.now() - moved;
  const moving = await longTasks(page);
  await page.close();
  return [
    `10,000 nodes: read and drawn after ${inMs(readMs)}; ${tasksInWords(reading)}`,
    `10,000 nodes moved ${MOVES} times in ${inMs(moveMs)}; ${tasksInWords(moving)}`,
  ];
}

async function pull(page: Page, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 0; i < MOVES; i += 1) await page.mouse.move(x + 4 * i, y + 2 * i);
  await page.mouse.up();
  for (let i = 0; i < MOVES / 4; i += 1) await page.mouse.wheel(0, -60);
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

/** The long tasks since they were asked for the last time. */
async function longTasks(page: Page): Promise<number[]> {
  return page.evaluate<number[]>('window.longTasks.splice(0)');
}

function tasksInWords(tasks: readonly number[]): string {
  const sum = tasks.reduce((total, ms) => total + ms, 0);
  return `${tasks.length} tasks of more than ${LONG_TASK_MS} ms, ${inMs(sum)} together, the longest ${inMs(Math.max(0, ...tasks))}`;
}

function inMs(ms: number): string {
  return `${Math.round(ms)} ms`;
}
