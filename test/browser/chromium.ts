import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The Chromium to use: what `STRATA_TEST_CHROMIUM` names, else one on the PATH. Throws when there is none. */
export function findChromium(environment: Record<string, string | undefined>): string {
  const named = environment.STRATA_TEST_CHROMIUM;
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places =
    named === undefined ? folders.flatMap((folder) => NAMES.map((name) => join(folder, name))) : [named];
  const found = places.find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    named === undefined
      ? `no Chromium: none of ${NAMES.join(', ')} is on the PATH; name one in STRATA_TEST_CHROMIUM`
      : `no Chromium: STRATA_TEST_CHROMIUM names ${named}, which cannot be run`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

/** A browser that can reach one server and nothing else, and what went wrong in it. */
export interface CagedBrowser {
  readonly context: BrowserContext;
  /** Attempts to reach anything else, and errors of pages. */
  readonly faults: string[];
  close: () => Promise<void>;
}

/** Starts a browser without a way out: names resolve to nothing, and every request elsewhere is stopped and noted. */
export async function startCaged(executablePath: string, origin: string): Promise<CagedBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      // Chromium's own sandbox does not start as root, as which containers usually run.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const faults: string[] = [];
  const isInside = (url: string): boolean =>
    ['data:', 'blob:', 'about:'].includes(new URL(url).protocol) ||
    new URL(url).host === new URL(origin).host;
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    if (isInside(url)) {
      await route.continue();
      return;
    }
    faults.push(`asked for ${url}`);
    await route.abort();
  });
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      if (!isInside(socket.url())) faults.push(`opened a socket to ${socket.url()}`);
    });
    page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
  });
  return {
    context,
    faults,
    close: async () => {
      await browser.close();
    },
  };
}

/** Tries to leave, and takes the note of it back; throws when it was not noted. */
export async function proveCage({ context, faults }: CagedBrowser): Promise<void> {
  const page = await context.newPage();
  const left = await page.evaluate(() => fetch('http://outside.invalid/').then(String, () => null));
  await page.close();
  if (left !== null || !faults.some((fault) => fault.includes('outside.invalid'))) {
    throw new Error('the browser can leave without being noticed');
  }
  faults.splice(0);
}
