// What a person does and sees in the workbench, in words.
const CONTAINER = '[id="workbench.view.extension.cortex"]';

export class Workbench {
  constructor(page, pictures) {
    this.page = page;
    this.pictures = pictures;
  }

  async open(url) {
    await this.page.goto(url);
    await this.page.waitForSelector(".monaco-workbench .part.statusbar", { timeout: 90_000 });
    await this.page.waitForSelector('.activitybar [aria-label^="Cortex"]', { timeout: 90_000 });
  }

  async openSidebar() {
    await this.page.click('.activitybar [aria-label^="Cortex"]');
    await this.row("use-money-parse").waitFor({ timeout: 60_000 });
  }

  /** A row of the side bar by the words it begins with. */
  row(label) {
    return this.page.locator(`${CONTAINER} .monaco-list-row[aria-label^="${label}"]`);
  }

  /** Click a row until its file is open: a click is lost when the tree is drawn anew under it. */
  async openFile(label, file) {
    const tab = this.page.locator(`.tabs-container .tab[aria-label^="${file}"]`).first();
    for (let attempt = 1; ; attempt += 1) {
      await this.row(label).click();
      try {
        await tab.waitFor({ timeout: 10_000 });
        return;
      } catch (problem) {
        if (attempt === 3) throw problem;
      }
    }
  }

  rows() {
    return this.page.$$eval(`${CONTAINER} .monaco-list-row`, (all) =>
      all.map((row) => row.getAttribute("aria-label")),
    );
  }

  /** What an empty view says. */
  async welcome(text) {
    const view = this.page.locator(`${CONTAINER} .welcome-view-content:has-text("${text}")`).first();
    await view.waitFor({ timeout: 30_000 });
    return view.innerText();
  }

  statusBar() {
    return this.page.locator('[id="cortex-harness.cortex-harness.cortex.status"]').innerText();
  }

  badge() {
    return this.page.locator('.activitybar li:has([aria-label^="Cortex"]) .badge-content').innerText();
  }

  /** Run a command of the palette. */
  async run(command) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget .quick-input-box input");
    await input.waitFor();
    await input.fill(`>${command}`);
    await this.page.locator(".quick-input-list .monaco-list-row").getByText(command, { exact: true }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  async lens(text) {
    const lens = this.page.locator(`.codelens-decoration:has-text("${text}")`).first();
    await lens.waitFor({ timeout: 30_000 });
    return (await lens.innerText()).trim();
  }

  async problems() {
    await this.page.keyboard.press("Control+Shift+M");
    const list = this.page.locator(".markers-panel .monaco-list-row");
    await list.first().waitFor({ timeout: 30_000 });
    return list.allInnerTexts();
  }

  titleButton(name) {
    return this.page.locator(`.editor-group-container .title-actions a[aria-label^="${name}"], .editor-actions a[aria-label^="${name}"]`).first();
  }

  async tabs() {
    return this.page.$$eval(".tabs-container .tab", (all) =>
      all.map((row) => row.getAttribute("aria-label")),
    );
  }

  async notice(text) {
    const toast = this.page.locator(`.notifications-toasts .notification-list-item:has-text("${text}")`);
    await toast.first().waitFor({ timeout: 30_000 });
    return (await toast.first().locator(".notification-list-item-message").innerText()).trim();
  }

  async picture(name) {
    await this.page.mouse.move(640, 560);
    await this.page.waitForTimeout(700);
    await this.page.screenshot({ path: `${this.pictures}/vscode-${name}.png` });
  }
}
