import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';

import type { Locator, Page } from 'playwright-core';

import { eventually } from '../support/wait.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The layouts that a picture of each view is taken in. */
const LAYOUTS = [
  { name: 'light', width: 1440, height: 900, colours: 'light' },
  { name: 'dark', width: 1440, height: 900, colours: 'dark' },
  { name: 'narrow', width: 360, height: 740, colours: 'light' },
  { name: 'wide', width: 3840, height: 2160, colours: 'light' },
] as const;

/** How many values the bytes of a picture (PNG) have. */
function shadesIn(png: Buffer): number {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return new Set(inflateSync(Buffer.concat(parts))).size;
}

/** What axe-core reports of one rule. */
interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** The explorer as somebody uses it who looks at it. Each step waits until what it looks for is there. */
export class Explorer {
  readonly page: Page;
  private readonly shots: (name: string) => Promise<void>;

  /** `shots` keeps what is on the screen under a name. */
  constructor(page: Page, shots: (name: string) => Promise<void>) {
    this.page = page;
    this.shots = shots;
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.heading('Strata').waitFor();
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('Key or token').fill(key);
    await this.button('Sign in').click();
  }

  async goTo(view: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();
    await this.heading(view).waitFor();
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, exact: true, level: 1 });
  }

  /** Goes to an address within the page, such as one that was sent. */
  async openAddress(hash: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('link', { name, exact: true });
  }

  /** Waits until the bar at the top says that what happens arrives as it happens. */
  async isLive(): Promise<void> {
    await this.page.getByRole('banner').getByText('live', { exact: true }).waitFor();
  }

  /** Waits until something is drawn: what is seen there has more colours than a ground and a border. */
  async isDrawn(place: Locator): Promise<void> {
    await place.first().waitFor();
    await eventually('a drawing', async () => shadesIn(await place.first().screenshot()) > 32);
  }

  async sees(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Takes a picture of what is on the screen in each layout, and has axe-core look at each; answers what it finds serious. */
  async look(name: string): Promise<string[]> {
    await this.everythingIsThere();
    return this.lookNow(name);
  }

  /** The same where something may still be waited for. */
  async lookNow(name: string): Promise<string[]> {
    const found: string[] = [];
    for (const layout of LAYOUTS) {
      await this.page.setViewportSize(layout);
      await this.page.emulateMedia({ colorScheme: layout.colours, reducedMotion: 'reduce' });
      await this.shots(`${name}-${layout.name}`);
      found.push(...(await this.seriousFindings(`${name} ${layout.name}`)));
      if (await this.isWiderThanTheScreen())
        found.push(`${name} ${layout.name}: the page is wider than the screen`);
    }
    await this.page.setViewportSize(LAYOUTS[0]);
    await this.page.emulateMedia({ colorScheme: 'light' });
    return found;
  }

  /** Waits until nothing grey is left that stands for what comes. */
  private async everythingIsThere(): Promise<void> {
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' });
  }

  private isWiderThanTheScreen(): Promise<boolean> {
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  }

  private async seriousFindings(where: string): Promise<string[]> {
    // As a string, so that the page's policy for scripts does not meet it.
    await this.page.evaluate(AXE);
    const violations = await this.page.evaluate<Violation[]>(
      'axe.run().then(({ violations }) => violations)',
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => {
        const [node] = nodes;
        return `axe, ${where}: ${id} at ${node?.target.join(' ') ?? ''} (${nodes.length}): ${node?.failureSummary ?? ''}`;
      });
  }
}
