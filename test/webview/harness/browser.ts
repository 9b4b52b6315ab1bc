import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { answer } from '../../../extension/protocol/rpc.ts';
import { FakeHost, type FakeHostOptions } from './fake-host.ts';
import { contentPolicy, folder, pageOf, themeSheet } from './page.ts';
import type { ThemeName } from './themes.ts';

/** `STRATA_PANEL` names another folder, for a build that no other process overwrites. */
const built = new URL(process.env.STRATA_PANEL ?? '../../../dist/webview/', import.meta.url);
const nonce = 'Zm9ydHktdHdv';
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

export interface PanelOptions extends Partial<FakeHostOptions> {
  readonly theme?: ThemeName;
  readonly width: number;
  readonly height: number;
  /** The state that an earlier webview saved. */
  readonly saved?: unknown;
}

export interface OpenPanel {
  readonly page: Page;
  readonly host: FakeHost;
  /** Errors of the page, and violations of its policy. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** The built panel in headless Chromium, under the policy of the host's page, with a host in this process. */
export class PanelBrowser {
  readonly #server: Server;
  readonly #browser: Browser;

  private constructor(server: Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
  }

  static async launch(): Promise<PanelBrowser> {
    const server = createServer((request, response) => {
      serve(request.url ?? '/', `http://${request.headers.host}`, response).catch((error: unknown) => {
        response.writeHead(404).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    return new PanelBrowser(server, browser);
  }

  async open(options: PanelOptions): Promise<OpenPanel> {
    const { theme = 'dark', placement = 'view', hasSession = true, width, height } = options;
    const host = new FakeHost({ ...options, placement, hasSession });
    const context = await this.#browser.newContext({ viewport: { width, height }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await connect(page, host, options.saved);
    const { port } = this.#server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?theme=${theme}&placement=${placement}`);
    await page.waitForSelector('#strata .panel > header', { timeout: 30_000 }).catch((error: unknown) => {
      throw new Error(`The panel did not start: ${complaints.join('\n')}`, { cause: error });
    });
    await settled(page);
    return { page, host, complaints, close: () => context.close() };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

/** Resolves when fonts are loaded and nothing has moved for a few frames. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(250);
}

async function connect(page: Page, host: FakeHost, saved: unknown): Promise<void> {
  await page.exposeFunction('hostReceives', (message: unknown) => answer(message, host.handlers, () => undefined));
  await page.addInitScript((initial) => {
    const host = globalThis as unknown as { hostReceives(message: unknown): Promise<unknown>; savedState: unknown };
    host.savedState = initial;
    Object.assign(globalThis, {
      acquireVsCodeApi: () => ({
        postMessage: (message: unknown) => {
          // The real wire clones messages, so what cannot be cloned must fail here too.
          const sent = structuredClone(message);
          void host.hostReceives(sent).then((reply) => window.postMessage(reply));
        },
        getState: () => host.savedState,
        setState: (state: unknown) => {
          host.savedState = structuredClone(state);
        },
      }),
    });
  }, saved);
  host.notify = (topic, body) => {
    void page.evaluate((message) => window.postMessage(message), { kind: 'notification', topic, body });
  };
}

async function serve(url: string, origin: string, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(url, origin);
  const theme = (searchParams.get('theme') ?? 'dark') as ThemeName;
  const placement = searchParams.get('placement') === 'editor' ? 'editor' : 'view';
  if (pathname === '/') {
    const options = { theme, placement, origin, nonce } as const;
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': contentPolicy(options) });
    response.end(pageOf(options));
  } else if (pathname === '/theme.css') {
    response.writeHead(200, { 'content-type': 'text/css' }).end(themeSheet(theme, placement));
  } else if (pathname === '/favicon.ico') {
    response.writeHead(204).end();
  } else {
    const content = await readFile(new URL(pathname.replace(folder, './'), built));
    response
      .writeHead(200, { 'content-type': contentTypes[extname(pathname)] ?? 'application/octet-stream' })
      .end(content);
  }
}
