import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { runnerImport } from 'vite';
import type * as pageHtmlModule from '../../../extension/evaluation/page-html.ts';
import type * as resultsBuilder from '../../builders/evaluation.ts';
import type * as replayBuilder from '../../builders/replay.ts';
import { violationsOf } from '../harness/axe.ts';
import { themeSheet } from '../harness/page.ts';
import { type ThemeName, themes } from '../harness/themes.ts';

/**
 * Takes pictures of the drift dashboard as a page of its own, opened as a file, and prints axe's violations. Start it
 * with `node test/webview/evaluate/gallery.ts`. Arguments select the pictures whose names contain one of them.
 * STRATA_DASHBOARD names another folder with the build, STRATA_PICTURES another one for the pictures.
 */
const built = new URL(process.env.STRATA_DASHBOARD ?? '../../../dist/dashboard/', import.meta.url);
const folder = process.env.STRATA_PICTURES ?? fileURLToPath(new URL('../../.output/dashboard/', import.meta.url));

type Content = 'all' | 'usual' | 'empty';

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height?: number;
  /** A theme of the editor instead of the page's own colours. */
  readonly theme?: ThemeName;
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly content?: Content;
  /**
   * Takes only the visible part. A picture of the whole page is taken in a window of another size, which loses the
   * focus.
   */
  readonly cropped?: true;
  readonly prepare?: (page: Page) => Promise<void>;
}

const light = { colorScheme: 'light' } as const;
const dark = { colorScheme: 'dark' } as const;

const pictures: readonly Picture[] = [
  ...(['light', 'dark'] as const).flatMap((colorScheme): Picture[] => [
    { name: `${colorScheme}-wide`, width: 1_280, media: { colorScheme } },
    { name: `${colorScheme}-narrow`, width: 420, media: { colorScheme } },
    { name: `${colorScheme}-slim`, width: 320, media: { colorScheme } },
    { name: `${colorScheme}-probe`, width: 1_280, height: 1_700, media: { colorScheme }, prepare: openProbe },
    { name: `${colorScheme}-replay`, width: 1_280, media: { colorScheme }, prepare: showSessions },
    { name: `${colorScheme}-boundary`, width: 1_280, height: 1_200, media: { colorScheme }, prepare: openBoundary },
  ]),
  ...(['dark', 'light', 'high-contrast', 'high-contrast-light'] as const).flatMap((theme): Picture[] => [
    { name: `theme-${theme}`, width: 900, theme },
    { name: `theme-${theme}-probe`, width: 520, height: 2_200, theme, prepare: openProbe },
  ]),
  { name: 'chosen', width: 1_280, media: dark, prepare: chooseMark },
  { name: 'pointed', width: 1_280, media: light, cropped: true, prepare: pointAtMark },
  { name: 'everybody', width: 1_280, media: dark, content: 'all', prepare: showAll },
  { name: 'picker', width: 700, media: light, content: 'all', prepare: openPicker },
  { name: 'forced', width: 1_280, media: { forcedColors: 'active', ...dark }, cropped: true, prepare: pointAtMark },
  { name: 'forced-probe', width: 900, height: 1_700, media: { forcedColors: 'active', ...light }, prepare: openProbe },
  { name: 'slim-probe', width: 320, height: 2_600, media: dark, prepare: openProbe },
  { name: 'slim-replay', width: 320, media: dark, prepare: showSessions },
  { name: 'slim-boundary', width: 320, height: 1_600, media: light, prepare: openBoundary },
  { name: 'huge', width: 1_920, media: dark },
  { name: 'empty', width: 700, media: light, content: 'empty' },
];

async function openProbe(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: /^Drift events/ })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('heading', { name: 'Context' }).waitFor();
}

async function showSessions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Real sessions' }).click();
}

async function openBoundary(page: Page): Promise<void> {
  await showSessions(page);
  await page.getByRole('region', { name: 'Boundaries' }).getByRole('button').first().click();
  await page
    .getByRole('heading', { name: /^Names needed/ })
    .first()
    .waitFor();
}

async function chooseMark(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^codex: Goal survival/ }).click();
}

async function pointAtMark(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^naive after compaction 1/ }).focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
}

async function showAll(page: Page): Promise<void> {
  await page.getByText(/contenders shown/).click();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByText(/contenders shown/).click();
}

async function openPicker(page: Page): Promise<void> {
  await page.getByText(/contenders shown/).click();
}

async function makePages(): Promise<Readonly<Record<Content, string>>> {
  const { pageHtml } = await load<typeof pageHtmlModule>('../../../extension/evaluation/page-html.ts');
  const { evaluationResults, fullLineUp } = await load<typeof resultsBuilder>('../../builders/evaluation.ts');
  const { replayReport } = await load<typeof replayBuilder>('../../builders/replay.ts');
  const read = (name: string) => readFile(new URL(name, built), 'utf8');
  const parts = { script: await read('dashboard.js'), style: await read('dashboard.css') };
  const everybody = evaluationResults({ contenders: fullLineUp(), of: 999 });
  return {
    usual: await pageHtml({ ...parts, results: evaluationResults(), replay: replayReport() }),
    all: await pageHtml({ ...parts, results: everybody, replay: null }),
    empty: await pageHtml({ ...parts, results: null, replay: null }),
  };
}

/** Node.js resolves no imports without file extensions, but Vite does. */
async function load<Module>(path: string): Promise<Module> {
  const { module } = await runnerImport<Module>(fileURLToPath(new URL(path, import.meta.url)), { configFile: false });
  return module;
}

async function take(browser: Browser, picture: Picture): Promise<string[]> {
  const { name, width, height = 900, theme, media, content = 'usual', cropped, prepare } = picture;
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('file:') && !url.startsWith('data:')) complaints.push(`asked for ${url}`);
  });
  await page.emulateMedia(media ?? { colorScheme: theme?.includes('light') ? 'light' : 'dark' });
  await page.goto(`file://${folder}${content}.html`);
  if (theme) await page.addStyleTag({ content: themeSheet(theme, 'editor').replace('html {', 'html:root {') });
  if (theme) await page.evaluate((kind) => document.body.classList.add(kind), themes[theme].kind);
  await page.locator('.dashboard[aria-busy="false"] h3').first().waitFor({ timeout: 30_000 });
  await prepare?.(page);
  await page.waitForTimeout(200);
  const fullPage = !cropped && (await page.locator('dialog[open]').count()) === 0;
  await page.screenshot({ path: `${folder}${name}.png`, fullPage });
  complaints.push(...(await violationsOf(page)), ...(await sidewaysOf(page)));
  await context.close();
  return complaints;
}

/** Elements that are wider than the page. Only tables may be, in a frame of their own. */
async function sidewaysOf(page: Page): Promise<string[]> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return over > 0 ? [`the page is ${over} pixels too wide`] : [];
}

await mkdir(folder, { recursive: true });
for (const [content, html] of Object.entries(await makePages())) await writeFile(`${folder}${content}.html`, html);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
});
const wanted = process.argv.slice(2);
const chosen = pictures.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
let complaintCount = 0;
for (const picture of chosen) {
  const complaints = await take(browser, picture);
  for (const complaint of complaints) console.error(`${picture.name}: ${complaint}`);
  complaintCount += complaints.length;
}
await browser.close();
console.log(`${chosen.length} pictures in ${folder}`);
if (complaintCount > 0) process.exitCode = 1;
