import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Static value imports of a file, without types and dynamic imports. */
const importPattern = /^\s*(?:import|export)\s+(?!type\s)(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

/** Every file and package loaded with this file. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(importPattern)) {
      const found = to.startsWith('.') ? sourceOf(resolve(dirname(file), to)) : null;
      if (found) visit(found);
      else loaded.add(to);
    }
  };
  visit(resolve(root, entry));
  return new Set([...loaded].map((name) => (name.startsWith('/') ? relative(root, name) : name)));
}

function sourceOf(path: string): string | null {
  return [path, `${path}.ts`].find((name) => /\.ts$/.test(name) && existsSync(name)) ?? null;
}

const heavy = [
  'extension/evaluation/measure/tasks/library.ts',
  'extension/evaluation/measure/statistics.ts',
  'extension/evaluation/measure/play.ts',
  'extension/engine/conversation/tokenizer.ts',
  'simple-statistics',
];

describe('the start of the editor', () => {
  it('loads no tasks, no statistics and no tokenizer', () => {
    const loaded = loadedWith('extension/main.ts');
    expect(loaded).toContain('extension/host/evaluation/evaluations.ts');
    expect(heavy.filter((name) => loaded.has(name))).toEqual([]);
  });

  it('would be noticed to load them, as for the evaluating thread', () => {
    const loaded = loadedWith('extension/evaluation/threads/evaluating-thread.ts');
    expect(loaded).toContain('extension/evaluation/measure/tasks/library.ts');
  });
});
