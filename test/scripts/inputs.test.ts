import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isStale, sourcesReadBy } from '../../scripts/inputs';
import { temporaryFolders } from '../sessions/temporary';

/** Tests of whether `npm start` builds again. */

const temporary = temporaryFolders();
const built = Date.UTC(2026, 0, 10, 12);
let project = '';

beforeEach(() => {
  project = temporary();
  put('src/main.ts', built - 1000);
  put('dist/host/main.cjs', built + 1000);
  put('dist/builds/host.json', built + 1000, {
    ...{ started: built, inputs: ['src/main.ts'], outputs: ['dist/host/main.cjs'] },
  });
});

function put(name: string, time: number, content: unknown = ''): void {
  const file = join(project, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  utimesSync(file, time / 1000, time / 1000);
}

describe('a build', () => {
  it('is not stale while its inputs are older than it', async () => {
    expect(await isStale('host', project)).toBe(false);
  });

  it('is stale when an input was written after it began', async () => {
    put('src/main.ts', built + 1);
    expect(await isStale('host', project)).toBe(true);
  });

  it('is stale when an input or an output is missing', async () => {
    rmSync(join(project, 'dist/host/main.cjs'));
    expect(await isStale('host', project)).toBe(true);
    put('dist/host/main.cjs', built + 1000);
    expect(await isStale('host', project)).toBe(false);
    rmSync(join(project, 'src/main.ts'));
    expect(await isStale('host', project)).toBe(true);
  });

  it('is stale if its inputs are unknown', async () => {
    expect(await isStale('webview', project)).toBe(true);
    writeFileSync(join(project, 'dist/builds/host.json'), '{"started":1,');
    expect(await isStale('host', project)).toBe(true);
  });

  it('also depends on types, of which it makes declarations, and on files that it copies', () => {
    const names = (build: string) => sourcesReadBy(build).map((path) => path.replaceAll('\\', '/'));
    expect(names('library')).toContain('extension/library/options.ts');
    expect(names('cli')).toContain('extension/inside/plugin/ask.js');
    expect(names('cli')).toContain('extension/agents/pi/inside/plugin/extension.js');
  });
});
