import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../editor/browser-editor/chromium';

/** Tests of the site of the docs, built and served as files, below a folder as on a public host. */

const root = resolve(import.meta.dirname, '../..');
const pictures = join(root, 'test/.output/screenshots');
const base = '/strata/';

let server: Server;
let browser: Browser;
let address = '';
const asked: { path: string; status: number }[] = [];

beforeAll(async () => {
  const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js');
  const build = [vitepress, 'build', 'docs', '--outDir', join(root, 'dist/site-below-a-folder'), '--base', base];
  await promisify(execFile)(process.execPath, build, { cwd: root });
  server = createServer((request, response) => void answer(request.url ?? '', response)).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  browser = await launchChromium();
  await mkdir(pictures, { recursive: true });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webp': 'image/webp',
  '.png': 'image/png',
};

async function answer(url: string, response: import('node:http').ServerResponse): Promise<void> {
  const { pathname } = new URL(url, 'http://localhost');
  const path = pathname.slice(base.length).replace(/(?<=^|\/)$/, 'index.html');
  const content = pathname.startsWith(base)
    ? await readFile(join(root, 'dist/site-below-a-folder', path)).catch(() => null)
    : null;
  const status = content === null ? 404 : 200;
  asked.push({ path, status });
  response.writeHead(status, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content);
}

/** A page of the site. Nothing outside it can be reached. */
async function open(
  path: string,
  colorScheme: 'dark' | 'light',
  width: number,
  reducedMotion: 'reduce' | null = null,
): Promise<Page> {
  const page = await browser.newPage({ colorScheme, reducedMotion, viewport: { width, height: 900 } });
  await page.route(
    (url) => !url.href.startsWith(address),
    (route) => route.abort(),
  );
  await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
  return page;
}

const imagesOf = (page: Page) =>
  page.locator('main img').evaluateAll(async (images) => {
    const loaded = images as HTMLImageElement[];
    await Promise.all(loaded.map((image) => image.decode()));
    return loaded.map((image) => ({
      source: image.currentSrc.replace(/.*\/|\..*(?=\.)/g, ''),
      width: image.naturalWidth,
    }));
  });

it('the first page is animated, except for people who prefer reduced motion', async () => {
  const moving = await imagesOf(await open('', 'dark', 1280));
  expect(moving).toEqual(['see', 'compact', 'undo', 'pin'].map((name) => ({ source: `${name}.webp`, width: 1120 })));
  const still = await imagesOf(await open('', 'dark', 1280, 'reduce'));
  expect(still.map(({ source }) => source)).toEqual(['see.png', 'compact.png', 'undo.png', 'pin.png']);
});

it('search finds a page without a server', async () => {
  const page = await open('', 'light', 1280);
  await page.getByRole('button', { name: /Search/ }).click();
  await page.getByRole('searchbox').fill('claude resume');
  const first = page.getByRole('option').first();
  await first.waitFor();
  await page.screenshot({ path: join(pictures, 'site-search.png') });
  await first.click();
  await page.waitForURL(/agents/);
});

it('every page that the side bar names exists', async () => {
  const page = await open('', 'dark', 1280);
  const links = await page
    .locator('.VPSidebar a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(links.length).toBeGreaterThan(30);
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
});

it.each([
  ['dark', 1280],
  ['light', 1280],
  ['dark', 360],
] as const)('pages fit in the %s theme %i pixels wide', async (theme, width) => {
  for (const path of ['', 'agents/claude-code.html', 'frameworks/ai-sdk.html', 'study.html', 'api/index.html']) {
    const page = await open(path, theme, width);
    await page.screenshot({ path: join(pictures, `site-${path.replace(/\W/g, '-')}-${theme}-${width}.png`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
    await page.close();
  }
});

it('nothing that a page asks for is missing', () => {
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
});
