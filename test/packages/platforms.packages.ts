import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, preview } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, startAgentServer } from '../agents/server/server';
import { launch } from '../library/library-page';
import { installPackages, linkPackages, lockedPackages } from './installed';
import { expectWorked, turns } from './worked';

/** Tests of the packed library, used by one program on each supported platform. */

const run = promisify(execFile);

const frameworks = [
  ...['ai', '@ai-sdk/openai', 'langchain', '@langchain/core', '@langchain/langgraph', '@langchain/openai'],
  ...['@opentelemetry/api', 'gpt-tokenizer', 'zod'],
];

let folder = '';
let platforms = '';
let server: AgentServer;

beforeAll(async () => {
  platforms = await lockedPackages('platforms');
  folder = await mkdtemp(join(tmpdir(), 'strata-platforms-'));
  await installPackages(folder, ['library']);
  await linkPackages(folder, frameworks);
  for (const name of ['program.js', 'command.js', 'worker.js']) await cp(join(platforms, name), join(folder, name));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  const call = { name: 'read', input: {} };
  server = await startAgentServer({ look: call, read: call });
  return () => server.close();
});

/** The path of a program in the platforms' packages. */
const program = (path: string) => join(platforms, 'node_modules', path);

describe('the packed library', () => {
  it.each([
    ['Node.js 20', () => [program('node-20/bin/node')]],
    ['Node.js 22.13', () => [program('node-22/bin/node')]],
    ['Node.js 26', () => [program('node-26/bin/node')]],
    ['Deno', () => [program('.bin/deno'), 'run', '--allow-all', '--quiet', '--node-modules-dir=manual']],
    ['Bun', () => [program('.bin/bun'), 'run']],
  ])('works in %s', async (_name, command) => {
    const [file = '', ...how] = command();
    const files = await mkdtemp(join(folder, 'files-'));
    const { stdout } = await run(file, [...how, 'command.js', server.address, String(turns), files], { cwd: folder });
    const { kind, isStored, notices, ...outcome } = JSON.parse(stdout);
    expectWorked(server, outcome);
    expect({ kind, isStored, notices }).toEqual({ kind: 'compacted', isStored: true, notices: [] });
  });

  // The oldest has no `WeakRef`.
  it.each(['2024-09-23', '2026-07-01'])('works in Cloudflare Workers of %s', async (compatibilityDate) => {
    const script = await bundled('worker.js', ['workerd', 'worker', 'module', 'browser']);
    const { Miniflare } = createRequire(join(platforms, 'package.json'))('miniflare');
    const worker = new Miniflare({
      modulesRoot: dirname(script),
      modules: [{ type: 'ESModule', path: script }],
      compatibilityDate,
      // LangChain needs this flag.
      compatibilityFlags: ['nodejs_compat'],
      bindings: { ADDRESS: server.address },
    });
    try {
      const asked = async (path: string) => (await worker.dispatchFetch(`http://localhost/${path}`)).text();
      for (let turn = 0; turn < turns; turn += 1) await asked(`?turn=${turn}`);
      expectWorked(server, JSON.parse(await asked('')));
    } finally {
      await worker.dispose();
    }
  });

  it('works in a bundle for browsers', async () => {
    const outDir = dirname(await bundled('program.js', ['browser', 'module']));
    await writeFile(join(outDir, 'index.html'), '<!doctype html><title>Page</title>');
    // A page may only send requests to its own server.
    const proxy = { '/v1': server.address };
    const site = await preview({ root: folder, configFile: false, build: { outDir }, preview: { port: 0, proxy } });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(site.resolvedUrls?.local[0] ?? '');
      const outcome = await page.evaluate(`import('/bundle.js').then(async ({ ask, compactAndUndo }) => {
        for (let turn = 0; turn < ${turns}; turn += 1) await ask(location.origin, turn);
        return await compactAndUndo(location.origin);
      })`);
      expectWorked(server, outcome);
    } finally {
      await browser.close();
      await site.close();
    }
  });
});

/** One file with everything that a program imports. */
async function bundled(name: string, conditions: string[]): Promise<string> {
  const outDir = join(folder, 'bundles', conditions[0] ?? '');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      minify: false,
      rolldownOptions: {
        input: join(folder, name),
        external: [/^node:/],
        output: { entryFileNames: 'bundle.js', format: 'es', codeSplitting: false },
        preserveEntrySignatures: 'strict',
      },
    },
  });
  return join(outDir, 'bundle.js');
}
