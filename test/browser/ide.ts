import type { Locator, Page } from 'playwright-core';

/** The IDE as somebody uses it who looks at it. Each step waits until what it looks for is there. */
export class Ide {
  private readonly page: Page;
  private readonly picture: (name: string) => Promise<void>;

  /** `picture` keeps what is on the screen under a name. */
  constructor(page: Page, picture: (name: string) => Promise<void>) {
    this.page = page;
    this.picture = picture;
  }

  async open(url: string): Promise<void> {
    await this.page.goto(`${url}/graphql`);
    await this.isOpen();
  }

  /** Waits until the page shows what one begins with. */
  async isOpen(): Promise<void> {
    await this.editor().getByText('Start here').waitFor();
  }

  /** Waits until the foot of the page says something. */
  async told(text: string): Promise<void> {
    await this.page.locator('#strata-notice').getByText(text).waitFor();
  }

  /** Puts values into the environment. */
  async setEnvironment(values: Record<string, string>, picture: string): Promise<void> {
    await this.page.getByText('Strata', { exact: true }).first().click();
    await this.page.locator('.cdk-overlay-container').getByText('Environments...').click();
    const field = this.page.locator('.ant-modal .cm-content');
    await field.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(JSON.stringify(values, null, 2));
    await this.picture(picture);
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
    await field.waitFor({ state: 'hidden' });
  }

  async tab(name: string, text: string): Promise<void> {
    await this.page.getByText(name, { exact: true }).first().click();
    await this.editor().getByText(text).first().waitFor();
  }

  /** Presses the button above an operation. */
  async send(operation: string): Promise<void> {
    await this.page.getByText(`(Send ${operation})`).click();
  }

  /** The text of the answer, once it holds all of these. */
  async answer(...parts: string[]): Promise<string> {
    const result = this.page.locator('app-query-result');
    for (const part of parts) await result.getByText(part).first().waitFor();
    return result.innerText();
  }

  async keep(name: string): Promise<void> {
    await this.picture(name);
  }

  private editor(): Locator {
    return this.page.locator('app-query-editor');
  }
}
