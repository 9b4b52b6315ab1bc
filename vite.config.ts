import { builtinModules } from 'node:module';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type UserConfig } from 'vite';

const nodeModules = [...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

/** The extension host loads CommonJS in every VS Code that `engines` allows; Node 22 is the oldest among them. */
const host: UserConfig = {
  build: {
    outDir: 'dist/host',
    target: 'node22',
    ssr: 'extension/main.ts',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'main.cjs', chunkFileNames: '[name].cjs' },
    },
  },
  ssr: { noExternal: true, external: ['vscode', ...nodeModules] },
};

const cli: UserConfig = {
  build: {
    outDir: 'dist/cli',
    target: 'node20',
    ssr: 'extension/cli/strata.ts',
    sourcemap: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'strata.js', chunkFileNames: '[name].js' } },
  },
  ssr: { noExternal: true, external: nodeModules },
};

/** `engines.vscode` starts at Chromium 138. Fixed names, because the host writes the page that loads them. */
const webview: UserConfig = {
  plugins: [svelte()],
  build: {
    outDir: 'dist/webview',
    target: 'chrome138',
    sourcemap: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: 'webview/main.ts',
      output: { entryFileNames: 'panel.js', chunkFileNames: '[name].js', assetFileNames: 'panel[extname]' },
    },
  },
};

const builds: Readonly<Record<string, UserConfig>> = { host, cli, webview };

export default defineConfig(({ mode }) => ({
  ...builds[mode],
  publicDir: false,
  test: {
    projects: [
      {
        plugins: [svelte()],
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/editor/**'], testTimeout: 30_000 },
      },
      { test: { name: 'bench', include: ['test/bench/**/*.bench.ts'], testTimeout: 300_000 } },
    ],
  },
}));
