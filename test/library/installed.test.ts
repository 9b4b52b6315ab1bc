import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { codeOf, installedLibrary } from './built-library';
import { addressOf, launch, serve } from './library-page';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
let folder = '';

/** Compilers and browsers are slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 });

beforeAll(async () => {
  folder = await installedLibrary();
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a script of the program in Node.js and reads its output. */
async function printed(script: string): Promise<unknown> {
  const file = join(folder, 'script.mjs');
  await writeFile(file, script);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  return JSON.parse(stdout);
}

describe('the installed library in Node', () => {
  it('exports these names and no others', async () => {
    const names = await printed(`
      const modules = await Promise.all(['strata-context', 'strata-context/node', 'strata-context/openai', 'strata-context/fetch'].map((name) => import(name)));
      console.log(JSON.stringify(modules.map((module) => Object.keys(module).sort())));
    `);
    expect(names).toEqual([
      [
        'BrokenPolicy',
        'Compactor',
        'ConversationGone',
        'EmbedderMissing',
        'InvalidOption',
        'LocalizableText',
        'ModelFailed',
        'NameTaken',
        'NotCompacted',
        'OperationRefused',
        'ScopeMissing',
        'UnknownPolicy',
        'UnknownStrategy',
        'compactHistory',
        'compactMessages',
        'createContext',
        'createConversations',
        'deterministicPolicy',
        'hierarchicalPolicy',
        'llmPolicy',
        'memoryConversation',
        'memoryJournal',
        'memoryShelf',
        'modelSummarizer',
        'policies',
        'policyNamed',
        'registerPolicy',
        'registerStrategy',
        'slidingWindowPolicy',
        'strategies',
        'textOf',
        'toolCalls',
        'transparentSummarizer',
      ],
      [
        'ConversationNotRead',
        'ConversationNotWritten',
        'JournalReadOnly',
        'JournalWriteFailed',
        'WrongKey',
        'compactingThreads',
        'conversationFolder',
        'encryptedStore',
        'fileJournal',
        'fileStores',
        'folderStore',
        'localEmbedder',
      ],
      ['openAiEmbedder', 'openAiModel'],
      ['compactingFetch'],
    ]);
  });

  it('runs the agent of the page for 60 turns in 16k tokens, its constraint in every request', async () => {
    const page = await readFile(join(root, 'docs/library.md'), 'utf8');
    await writeFile(join(folder, 'agent.js'), codeOf(page, 'js', 'import { createContext, textOf'));
    await writeFile(join(folder, 'model.js'), scriptedModel);
    await writeFile(join(folder, 'tools.js'), scriptedTools);
    const outcome = await printed(`
      import { ask, context } from './agent.js';
      import { requests } from './model.js';
      for (let turn = 0; turn < 60; turn += 1) await ask('Look at part ' + turn + '.');
      const { length } = context.compactions;
      console.log(JSON.stringify({ compactions: length, said: context.entries.length, requests }));
    `);
    const { compactions, said, requests } = outcome as {
      compactions: number;
      said: number;
      requests: { tokens: number; hasConstraint: boolean }[];
    };
    expect(compactions).toBeGreaterThan(0);
    expect(said).toBe(1 + 60 * 4);
    expect(requests.length).toBe(120);
    expect(Math.max(...requests.map(({ tokens }) => tokens))).toBeLessThan(16_000);
    expect(requests.every(({ hasConstraint }) => hasConstraint)).toBe(true);
  });

  it('runs the programs of the page about policies, and they print what it says', async () => {
    const page = await readFile(join(root, 'docs/policies.md'), 'utf8');
    await writeFile(join(folder, 'cycles.ts'), codeOf(page, 'ts', 'import { Compactor'));
    const { stdout } = await run(process.execPath, [join(folder, 'cycles.ts')], { cwd: folder });
    expect(stdout).toBe(codeOf(page, 'text', ''));
  });

  it('compacts a history with the policy of the page, by its own name', async () => {
    const page = await readFile(join(root, 'docs/policies.md'), 'utf8');
    await writeFile(join(folder, 'policy.ts'), codeOf(page, 'ts', 'import type { CompactionPolicy'));
    const outcome = await printed(`
      import { Compactor, policyNamed, registerPolicy } from 'strata-context';
      import policy from './policy.ts';
      const history = Array.from({ length: 9 }, (_, at) => ({ type: 'step', action: 'code', output: 'Output ' + at }));
      history[2] = { type: 'step', action: 'code', error: 'NameError' };
      const remove = registerPolicy(policy);
      const compactor = new Compactor(policyNamed('importance_weighted'));
      const due = [compactor.shouldCompact(history.slice(1)), compactor.shouldCompact(history)];
      const { history: after, summary } = await compactor.compact(history);
      remove();
      let isKnown = true;
      try { policyNamed('importance_weighted'); } catch ({ name }) { isKnown = name !== 'UnknownPolicy'; }
      console.log(JSON.stringify({ due, after, summary, isKnown }));
    `);
    const summary = 'Summarized 8 routine steps';
    expect(outcome).toEqual({
      due: [false, true],
      after: [
        { type: 'summary', content: summary, entries_summarized: 8 },
        { type: 'step', action: 'code', error: 'NameError' },
      ],
      summary,
      isKnown: false,
    });
  });

  it('finds its sentence encoder', async () => {
    const lengths = await printed(`
      import { localEmbedder } from 'strata-context/node';
      const vectors = await localEmbedder.embed(['a house', 'a home'], new AbortController().signal);
      console.log(JSON.stringify(vectors.map((vector) => vector.length)));
    `);
    expect(lengths).toEqual([512, 512]);
  });
});

/** Compacts a long conversation with threads. Prints the number of blocks, and the notices. */
const threadedProgram = `
  import { createContext } from 'strata-context';
  import { compactingThreads } from 'strata-context/node';
  const notices = [];
  const threads = compactingThreads({ onNotice: (message) => notices.push(message) });
  const context = await createContext({ window: 20_000, threads });
  const text = 'The parser reads every line of the file. '.repeat(100);
  for (let turn = 0; turn < 40; turn += 1) {
    await context.append({ role: 'user', content: 'Look at part ' + turn + '.' });
    await context.append({ role: 'assistant', content: turn + ': ' + text });
  }
  const { kind } = await context.compactIfNeeded();
  threads.dispose();
  console.log(JSON.stringify({ kind, blocks: context.compactions.length > 0, notices }));
`;

describe('threads of the library', () => {
  it('compact in the installed library', async () => {
    expect(await printed(threadedProgram)).toEqual({ kind: 'compacted', blocks: true, notices: [] });
  });

  it('exact counts come from gpt-tokenizer, in threads of the library too', async () => {
    const program = threadedProgram
      .replace('window: 20_000', 'window: 20_000, countTokens: countWithO200k')
      .replace(
        "from 'strata-context';",
        "from 'strata-context';\n  import { countWithO200k } from 'strata-context/o200k';",
      )
      .replace('notices }', "notices, tokens: countWithO200k('x'.repeat(9) + ' unabhängig')  }");
    const missing = { stderr: expect.stringContaining("'gpt-tokenizer'") };
    await expect(printed(program)).rejects.toMatchObject(missing);
    const link = join(folder, 'node_modules/gpt-tokenizer');
    await symlink(join(root, 'node_modules/gpt-tokenizer'), link, 'junction');
    try {
      const tokens = countWithO200k(`${'x'.repeat(9)} unabhängig`);
      expect(await printed(program)).toEqual({ kind: 'compacted', blocks: true, notices: [], tokens });
    } finally {
      await rm(link);
    }
  });

  it('threads of the library are replaced by the main thread, with a notice, if a bundler left out their program', async () => {
    const outDir = join(folder, 'server');
    await writeFile(join(folder, 'server.js'), threadedProgram);
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir, emptyOutDir: true, ssr: join(folder, 'server.js') },
      ssr: { noExternal: true, external: [/^node:/].map(String) },
    });
    const { stdout } = await run(process.execPath, [join(outDir, 'server.js')], { cwd: folder });
    const notices = [expect.stringMatching(/could not be started.*main thread/)];
    expect(JSON.parse(stdout)).toEqual({ kind: 'compacted', blocks: true, notices });
  });
});

describe('the types of the installed library', () => {
  it.each(['nodenext', 'bundler'])(
    'say what the pages do under moduleResolution %s',
    async (resolution) => {
      const policies = await readFile(join(root, 'docs/policies.md'), 'utf8');
      const sources = join(folder, `types-${resolution}`);
      await mkdir(sources, { recursive: true });
      await writeFile(join(sources, 'policy.ts'), codeOf(policies, 'ts', 'import type { CompactionPolicy'));
      await writeFile(join(sources, 'cycles.ts'), codeOf(policies, 'ts', 'import { Compactor'));
      await writeFile(join(sources, 'consumer.ts'), typedConsumer);
      const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
      const flags =
        `--noEmit --strict --exactOptionalPropertyTypes --target es2024 --lib es2024,dom --types node`.split(' ');
      // With one of these settings, every declaration is checked too.
      const types = [
        '--typeRoots',
        join(root, 'node_modules/@types'),
        '--skipLibCheck',
        String(resolution === 'bundler'),
      ];
      const files = ['consumer.ts', 'cycles.ts', 'policy.ts'].map((name) => join(sources, name));
      const how = ['--module', module, '--moduleResolution', resolution];
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const outcome = run(process.execPath, [compiler, ...flags, ...types, ...how, ...files], { cwd: folder });
      await expect(outcome.catch(({ stdout }) => Promise.reject(new Error(stdout)))).resolves.toBeDefined();
    },
    120_000,
  );
});

describe('a bundle with the library', () => {
  it('a bundle with the library is empty if only types are imported', async () => {
    const { entry } = await bundled(
      "import type { Message } from 'strata-context'; export const none: Message[] = [];",
    );
    expect(entry).toBeLessThan(200);
  });

  it('a bundle with the library has the strategies without the tables of the tokenizer and without models', async () => {
    const { entry, others } = await bundled("import { strategies } from 'strata-context'; console.log(strategies());");
    expect(entry).toBeLessThan(250_000);
    expect(others).toBe(0);
  });

  it('a bundle with the library has the tables of the tokenizer in a file of their own', async () => {
    const { entry, others } = await bundled(
      "import { createContext } from 'strata-context'; createContext({ window: 1 });",
    );
    expect(entry).toBeLessThan(400_000);
    expect(others).toBeGreaterThan(400_000);
    expect(others).toBeLessThan(600_000);
  });
});

/**
 * Compressed size of the code that a program loads with an import, without the frameworks and without what it loads
 * later.
 */
async function importedBytes(entry: string): Promise<number> {
  await writeFile(join(folder, 'imported.js'), `export * from 'strata-context/${entry}';`);
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: join(folder, 'imported.js'),
        preserveEntrySignatures: 'strict',
        external: [/^node:/, /^langchain$/, /^@langchain\//, /^zod/],
      },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap(chunksOf);
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
  }
  return [...loaded].reduce((total, { code }) => total + gzipSync(code).length, 0);
}

function chunksOf(built: Rolldown.RolldownOutput | Rolldown.RolldownWatcher): readonly Rolldown.OutputChunk[] {
  if (!('output' in built)) throw new Error('The build watches.');
  return built.output.filter((file) => file.type === 'chunk');
}

describe('the import of a middleware', () => {
  it.each(['ai-sdk', 'fetch', 'langchain'])('strata-context/%s loads less than 60 kB', async (entry) => {
    const bytes = await importedBytes(entry);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(60_000);
  });
});

describe('the installed library in a browser', () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = await serve(folder);
    browser = await launch();
  });

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const script = `
    import { createContext } from './node_modules/strata-context/dist/library/index.js';
    import { openAiModel } from './node_modules/strata-context/dist/library/openai.js';
    async function failureOfModel() {
      const model = openAiModel({ model: 'any', baseUrl: location.origin + '/nothing', retries: 0 });
      const options = { maxTokens: 10, signal: new AbortController().signal };
      return await model.complete({ system: '', user: 'Hello' }, options).then(() => null, ({ name }) => name);
    }
    export async function work() {
      const context = await createContext({ window: 16_000 });
      const text = 'The parser drops keys in src/parser.ts. '.repeat(60);
      for (let turn = 0; turn < 20; turn += 1) {
        await context.append({ role: 'user', content: 'Look at part ' + turn }, { role: 'assistant', content: text });
      }
      const before = JSON.stringify(context.messages());
      const { records } = await context.compact();
      await context.undo();
      return { records: records.length, same: JSON.stringify(context.messages()) === before, failure: await failureOfModel() };
    }
  `;
  const worker = `
    import { work } from './work.js';
    work().then((done) => postMessage(done), (error) => postMessage(String(error)));
  `;

  it('compacts and undoes on a page and in a worker', async () => {
    await writeFile(join(folder, 'work.js'), script);
    await writeFile(join(folder, 'worker.js'), worker);
    const page = await browser.newPage();
    await page.goto(addressOf(server));
    const done = { records: expect.any(Number), same: true, failure: 'ModelFailed' };
    const onPage = await page.evaluate("import('/work.js').then(({ work }) => work())");
    const inWorker = await page.evaluate(`new Promise((answer, fail) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => answer(data);
      worker.onerror = ({ message }) => fail(new Error(message));
    })`);
    expect(onPage).toEqual(done);
    expect(inWorker).toEqual(onPage);
    expect((onPage as { records: number }).records).toBeGreaterThan(0);
  }, 60_000);
});

/** Sizes of a bundle in bytes: what its page loads first, and what it loads later. */
async function bundled(source: string): Promise<{ entry: number; others: number }> {
  const outDir = join(folder, 'bundle');
  await writeFile(join(folder, 'bundled.ts'), source);
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, modulePreload: false, rolldownOptions: { input: join(folder, 'bundled.ts') } },
  });
  const names = await readdir(join(outDir, 'assets'));
  const sizes = await Promise.all(
    names.map(async (name) => [name, (await readFile(join(outDir, 'assets', name))).length] as const),
  );
  const sum = (isWanted: (name: string) => boolean) =>
    sizes.reduce((total, [name, size]) => (isWanted(name) ? total + size : total), 0);
  return { entry: sum((name) => name.startsWith('bundled')), others: sum((name) => !name.startsWith('bundled')) };
}

const scriptedModel = `
  export const requests = [];
  export async function complete(messages) {
    const tokens = messages.reduce((total, message) => total + message.tokens, 0);
    const hasConstraint = JSON.stringify(messages).includes('Never change the public API.');
    requests.push({ tokens, hasConstraint });
    const turn = requests.length;
    if (messages.at(-1).role === 'tool') return [{ type: 'text', text: 'That part is fine.' }];
    return [{ type: 'tool_call', callId: 'call-' + turn, name: 'read', input: { path: 'src/part-' + turn + '.ts' } }];
  }
`;

const scriptedTools = `
  export const tools = {
    read: async ({ path }) => Array.from({ length: 40 }, (_, line) => path + ' line ' + line + ' reads a key.').join('\\n'),
  };
`;

const typedConsumer = `
import { type AutomaticOutcome, createContext, type Message, registerPolicy, type SentMessage } from 'strata-context';
import { fileStores } from 'strata-context/node';
import { openAiModel } from 'strata-context/openai';
import policy from './policy.js';

const take = registerPolicy(policy);
const model = openAiModel({ model: 'gpt-5-mini' });
const stores = await fileStores({ folder: '.strata', id: 'one' });
const context = await createContext({ window: 16_000, model, ...stores });
const message: Message = { role: 'user', content: 'Hello' };
await context.append(message);
const outcome: AutomaticOutcome = await context.compactIfNeeded();
if (outcome.kind === 'compacted') console.log(outcome.run.after.tokens.total.toFixed());
const sent: readonly SentMessage[] = context.messages();
const total: number = context.tokens.total;
const undone: readonly number[] = await context.undo();
// @ts-expect-error a role that is none
const wrong: Message = { role: 'robot', content: '' };
// @ts-expect-error the window has to be said
const nothing = createContext({});
console.log(sent, total, undone, wrong, nothing, take());
`;
