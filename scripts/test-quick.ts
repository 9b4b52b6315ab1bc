/**
 * `npm run test:quick` checks style and types, and runs the unit tests nearest to each changed file: those in the
 * folder of `test/` that mirrors its folder. A file counts as changed if it differs from the branch `main`; on `main`,
 * if it has uncommitted changes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runSideBySide } from './side-by-side.ts';

const base = baseOfChanges();
const changed = [
  ...lines(git('diff', '--name-only', '--diff-filter=d', base)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
];
const nearest = [...new Set(changed.flatMap(testsBeside))];

/** Components know the rest of the program only through `extension/protocol`. */
const touchesPanel = changed.some((path) => /^(webview|extension\/protocol)\//.test(path));

const checks = {
  style: 'npm run check:style',
  types: 'npm run check:types',
  ...(touchesPanel && { svelte: 'npm run check:svelte' }),
  ...(nearest.length > 0 && {
    tests: `npx vitest run --project unit --project unit-shared --passWithNoTests --changed ${base} ${nearest.join(' ')}`,
  }),
};

const passed = await runSideBySide(checks);
console.log(nearest.length > 0 ? `tests of ${nearest.join(', ')}; npm run test:unit runs all` : 'no tests are near');
process.exitCode = passed ? 0 : 1;

function baseOfChanges(): string {
  const main = ['main', 'origin/main'].find((branch) => git('rev-parse', '--verify', '--quiet', branch) !== '');
  return main === undefined ? 'HEAD' : git('merge-base', 'HEAD', main);
}

/**
 * The folder of tests that mirrors the folder of a source file, or the nearest existing one above it. A test file is
 * returned itself.
 */
function testsBeside(path: string): string[] {
  if (path.endsWith('.test.ts')) return [path];
  const source = /^(?:extension\/|(?=webview\/))(.*)$/.exec(path)?.[1];
  if (source === undefined) return [];
  const mirror = `test/${source.replace(/^webview\/(?:components|state|toolkit)\//, 'webview/')}`;
  for (let folder = dirname(mirror); folder !== 'test'; folder = dirname(folder)) {
    if (existsSync(folder)) return [`${folder}/`];
  }
  return [];
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8' }).trim();
  } catch {
    // `rev-parse --verify` reports a missing branch by its exit code.
    return '';
  }
}
