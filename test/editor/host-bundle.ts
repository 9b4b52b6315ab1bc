import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';
import { projectFolder } from './paths.ts';

const bundleFolder = join(projectFolder, 'dist/test');

/**
 * Bundles the tests of the extension host as CommonJS, which every VS Code can load. Returns the path of the module
 * with `run()`. Each test file is a chunk of its own, so that one that cannot be loaded does not affect the others.
 */
export async function bundleHostTests(): Promise<string> {
  const entry = join(bundleFolder, 'index.cjs');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: projectFolder,
    publicDir: false,
    build: {
      outDir: bundleFolder,
      emptyOutDir: true,
      target: 'node22',
      ssr: join(import.meta.dirname, 'host/index.ts'),
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        external: ['vscode'],
        output: { format: 'cjs', entryFileNames: 'index.cjs', chunkFileNames: '[name].cjs' },
      },
    },
    ssr: { noExternal: true, external: ['vscode', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)] },
  });
  return entry;
}
