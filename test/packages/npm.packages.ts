import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encoderFolderIn } from '../../extension/models/embeddings/encoder-package';
import { packagesFolder } from '../../scripts/packages/pack';
import { snippets } from '../docs/pages';
import { codeOf } from '../library/built-library';
import { installPackages, linkPackages, npm } from './installed';

/** Tests of the packages as a user gets them: packed, and installed into an empty project. */

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const session = join(root, 'test/fixtures/pi-v1/until-after-first-compaction.jsonl');

let temporary = '';
let folder = '';

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'strata-npm-'));
  folder = join(temporary, 'project');
  await mkdir(folder);
  await installPackages(folder, ['library', 'cli']);
  await copyFile(session, join(folder, 'session.jsonl'));
});

afterAll(() => rm(temporary, { recursive: true, force: true }));

/** Runs the command in the project, with a home of its own. */
async function strata(...commandLine: readonly string[]): Promise<string> {
  const file = join(folder, 'node_modules/strata-context-cli/dist/cli/strata.js');
  const home = { HOME: temporary, USERPROFILE: temporary, XDG_DATA_HOME: join(temporary, 'data') };
  const { stdout } = await run(process.execPath, [file, ...commandLine], {
    cwd: folder,
    env: { ...process.env, ...home },
  });
  return stdout;
}

interface Inspected {
  readonly compactions: readonly { readonly by: string }[];
  readonly context: { readonly tokens: { readonly total: number } };
}

const inspected = async (): Promise<Inspected> => JSON.parse(await strata('inspect', 'session.jsonl', '--json'));

describe('the command, installed', () => {
  it('npx strata-context-cli inspects a session', async () => {
    const text = await npm(folder, [
      'exec',
      '--offline',
      '--no',
      '--',
      'strata-context-cli',
      'inspect',
      'session.jsonl',
    ]);
    expect(text).toMatch(/tokens/);
  });

  it('its version is that of the package', async () => {
    const { version } = JSON.parse(await readFile(join(packagesFolder, 'cli/package.json'), 'utf8'));
    expect((await strata('--version')).trim()).toBe(version);
  });

  it('compacts, and undoes it', async () => {
    const before = await inspected();
    await strata('compact', 'session.jsonl', '--strategy', 'tool-calls');
    const compacted = await inspected();
    expect(compacted.compactions.some(({ by }) => by === 'strata')).toBe(true);
    expect(compacted.context.tokens.total).toBeLessThan(before.context.tokens.total);
    await strata('undo', 'session.jsonl');
    expect(await inspected()).toEqual(before);
  });
});

describe('the readme of the library', () => {
  it('has a program that runs', async () => {
    const readme = await readFile(join(folder, 'node_modules/strata-context/README.md'), 'utf8');
    await writeFile(join(folder, 'readme.mjs'), codeOf(readme, 'js', 'import { createContext }'));
    const { stdout } = await run(process.execPath, ['readme.mjs'], { cwd: folder });
    expect(stdout).toContain('Never change the public API.');
    expect(stdout).toContain('Make the parser faster.');
  });
});

const adapters = `
import { compactingFetch } from 'strata-context/fetch';
import { strataMiddleware as forTheAiSdk } from 'strata-context/ai-sdk';
import { strataMiddleware as forLangChain } from 'strata-context/langchain';
import { conversationFolder, localEmbedder } from 'strata-context/node';
import { openAiModel } from 'strata-context/openai';
import { wrapLanguageModel, type LanguageModelMiddleware } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';

export const client = new OpenAI({ fetch: compactingFetch({ window: 200_000 }) });
export const middleware: LanguageModelMiddleware = forTheAiSdk({ window: 200_000 });
export const wrap = (model: Parameters<typeof wrapLanguageModel>[0]['model']) => wrapLanguageModel({ model, middleware });
export const agent = (model: string) => createAgent({ model, tools: [], middleware: [forLangChain({ window: 200_000 })] });
export const others = [conversationFolder, localEmbedder, openAiModel];
// @ts-expect-error the window has to be said
compactingFetch({});
`;

const frameworks = [
  ...['ai', '@ai-sdk/openai', '@ai-sdk/provider', 'langchain', '@langchain/core', '@langchain/openai', 'deepagents'],
  '@langchain/langgraph',
  ...['@anthropic-ai/sdk', 'openai', '@types/node', 'zod'],
];

/** Compiles files in the project with the frameworks beside it. Rejects with the compiler's output. */
async function compiled(resolution: string, ...files: readonly string[]): Promise<void> {
  await linkPackages(folder, frameworks);
  const flags = '--noEmit --strict --skipLibCheck --target es2024 --lib es2024,dom --types node'.split(' ');
  const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const how = [...flags, '--allowJs', '--checkJs', '--module', module, '--moduleResolution', resolution, ...files];
  await run(process.execPath, [compiler, ...how], { cwd: folder }).catch(({ stdout }) =>
    Promise.reject(new Error(stdout)),
  );
}

describe('the types of the library, installed', () => {
  it('the code of each page about a framework compiles with it', async () => {
    // Leaves out the complete agents, which import files of the reader.
    const pages = snippets.filter(
      ({ where, language, code }) =>
        where.startsWith('docs/frameworks/') && language === 'js' && !code.includes("from './"),
    );
    expect(pages.length).toBeGreaterThan(4);
    const files = pages.map(({ where }) => `${where.replace(/\W/g, '-')}.js`);
    await Promise.all(pages.map(({ code }, index) => writeFile(join(folder, files[index] ?? ''), code)));
    await expect(compiled('nodenext', ...files)).resolves.toBeUndefined();
    await writeFile(join(folder, 'wrong.js'), (pages[0]?.code ?? '').replace('window:', 'windows:'));
    await expect(compiled('nodenext', 'wrong.js')).rejects.toThrow(/windows/);
  });

  it.each(['nodenext', 'bundler'])(
    'every adapter compiles with its framework under moduleResolution %s',
    async (resolution) => {
      await writeFile(join(folder, 'adapters.ts'), adapters);
      await expect(compiled(resolution, 'adapters.ts')).resolves.toBeUndefined();
    },
  );
});

describe('a memory strategy', () => {
  const compact = () => strata('compact', 'session.jsonl', '--strategy', 'a-mem', '--dry-run');

  it('says what is missing if the encoder is not installed', async () => {
    await expect(compact()).rejects.toMatchObject({ stderr: expect.stringContaining('strata-context-encoder') });
  });

  it('works with the encoder that the editor installed', async () => {
    const place = encoderFolderIn({ home: temporary, variables: { XDG_DATA_HOME: join(temporary, 'data') } });
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(packagesFolder, 'encoder'), place, 'junction');
    await expect(compact()).resolves.toMatch(/tokens/);
    await rm(place);
    await expect(compact()).rejects.toMatchObject({ stderr: expect.stringContaining('not installed') });
  });

  it('works with the encoder that is installed beside the command', async () => {
    await installPackages(folder, ['library', 'cli', 'encoder']);
    await expect(compact()).resolves.toMatch(/tokens/);
  });
});
