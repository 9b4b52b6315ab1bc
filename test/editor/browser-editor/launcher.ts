/**
 * Replaces the desktop VS Code program. It takes the arguments that `runTests` of `@vscode/test-electron` would pass to
 * it, runs the tests in the browser editor, and exits with their exit code. It ends when its standard input ends, which
 * shows that `runTests` has ended.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { hostEditorLog, outputFolder } from '../paths.ts';
import { exitOnInterrupt } from '../processes/interrupt.ts';
import { onParentGone } from '../processes/lifeline.ts';
import { homeOfNobody } from '../processes/temporary-folder.ts';
import { isTestLine } from '../suite.ts';
import { type EditorPage, editorAddress } from './address.ts';
import { launchChromium } from './chromium.ts';
import { type EditorServer, startServer } from './server.ts';

const TESTS_TIMEOUT_MS = 300_000;

mkdirSync(outputFolder, { recursive: true });
writeFileSync(hostEditorLog, '');
exitOnInterrupt();
onParentGone(() => process.exit(1));
try {
  process.exitCode = await launch(process.argv.slice(2));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
process.stdin.destroy();

async function launch(commandLine: readonly string[]): Promise<number> {
  const { page, userDataDir, extensionsDir } = readCommandLine(commandLine);
  const server = await startServer({ userDataDir, extensionsDir, runsTests: true, environment: homeOfNobody() });
  try {
    const browser = await launchChromium();
    try {
      return await runTestsOn(browser, server, page);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/**
 * Reads the arguments that matter here. Desktop VS Code has many more; those for its window and sandbox have no meaning
 * here.
 */
function readCommandLine(commandLine: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...commandLine],
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string' },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  const page: EditorPage = {
    folder: required('a workspace folder', positionals[0]),
    tests: {
      extensionDevelopmentPath: required('--extensionDevelopmentPath', values.extensionDevelopmentPath),
      extensionTestsPath: required('--extensionTestsPath', values.extensionTestsPath),
    },
  };
  return {
    page,
    userDataDir: required('--user-data-dir', values['user-data-dir']),
    extensionsDir: required('--extensions-dir', values['extensions-dir']),
  };
}

function required(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`The launcher needs ${name}.`);
  return value;
}

/**
 * Resolves to the tests' exit code, which the workbench passes to a function that it looks for on its window. Rejects
 * if the editor, its server or the browser ends first, or on a timeout.
 */
async function runTestsOn(browser: Browser, server: EditorServer, editorPage: EditorPage): Promise<number> {
  const page = await browser.newPage();
  await page.exposeFunction('codeAutomationLog', writeLog);
  const exitCode = new Promise<number>((resolve, reject) => {
    const exposed = page.exposeFunction('codeAutomationExit', resolve);
    exposed.then(() => page.goto(editorAddress(server, editorPage))).catch(reject);
  });
  return Promise.race([exitCode, failureOf(page, server)]);
}

/** Shows what the tests print. Everything else that the editor logs goes only to a file. */
function writeLog(level: string, values: readonly unknown[]): void {
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
  appendFileSync(hostEditorLog, `${level} ${text}\n`);
  if (isTestLine(text)) console.log(text);
}

function failureOf(page: Page, server: EditorServer): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what} before the tests ended.`));
    page.once('crash', () => fail('The editor page crashed'));
    page.once('close', () => fail('The browser was closed'));
    server.exited.then((code) => fail(`The server exited with code ${code}`), reject);
    setTimeout(() => fail(`${TESTS_TIMEOUT_MS / 1000} seconds went by`), TESTS_TIMEOUT_MS).unref();
  });
}
