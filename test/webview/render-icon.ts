import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

/** Makes media/icon.png from media/icon.svg, because the Marketplace requires a bitmap. */
const media = new URL('../../media/', import.meta.url);
const size = { width: 256, height: 256 };

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: size });
await page.setContent(
  `<style>* { margin: 0 } svg { display: block }</style>${await readFile(new URL('icon.svg', media), 'utf8')}`,
);
await page.screenshot({ path: new URL('icon.png', media).pathname, omitBackground: true });
await browser.close();
