import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Imports go one way, as docs/architecture.md draws it. */

const root = resolve(import.meta.dirname, '..');

const engine = ['extension/engine'];
/** How an evaluation is measured, without files or threads: pure like the engine, so that a page can run it. */
const measure = 'extension/evaluation/measure';
const middle = [
  'extension/sessions',
  'extension/models',
  'extension/summarizers',
  'extension/middleware',
  'extension/protocol',
];

/** What each part may import of the others. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'extension/engine': [],
  'extension/sessions': engine,
  'extension/models': [...engine, 'extension/sessions/files'],
  'extension/summarizers': [...engine, 'extension/models'],
  'extension/middleware': [...engine, 'extension/sessions', 'extension/models'],
  'extension/evaluation/measure': engine,
  'extension/protocol': [...engine, measure],
  'extension/inspection': [...engine, 'extension/sessions'],
  'extension/evaluation': [...engine, 'extension/sessions', 'extension/models', 'extension/summarizers'],
  'extension/conversations': [
    ...engine,
    'extension/sessions',
    'extension/models',
    'extension/summarizers',
    'extension/middleware',
    'extension/inspection',
  ],
  'extension/library': [
    ...engine,
    'extension/sessions',
    'extension/models',
    'extension/summarizers',
    'extension/middleware',
    'extension/inspection',
    'extension/conversations',
  ],
  'extension/gateway': [...engine, 'extension/models', 'extension/middleware'],
  'extension/agents': [
    ...engine,
    'extension/sessions',
    'extension/models',
    'extension/summarizers',
    'extension/inspection',
    'extension/conversations',
  ],
  'extension/cli': [
    ...engine,
    ...middle,
    'extension/inspection',
    'extension/agents',
    'extension/conversations',
    'extension/evaluation',
    'extension/library',
    'extension/gateway',
  ],
  'extension/host': [
    ...engine,
    ...middle,
    'extension/inspection',
    'extension/agents',
    'extension/conversations',
    'extension/evaluation',
    'extension/gateway',
  ],
  webview: ['extension/protocol'],
};

/** The floors of the engine, lowest first: a floor imports only floors below it. */
const floors = [
  'wording',
  'core',
  'conversation',
  'ledger',
  'block',
  'language',
  'prompts',
  'compaction',
  'asking',
  'journal',
  'memory',
  'strategies',
  'policies',
  'run',
  'history',
] as const;

/** Packages and built-ins that a part must do without. */
const forbidden: Readonly<Record<string, RegExp>> = {
  'extension/engine': /^(?:vscode|node:.*)$/,
  'extension/evaluation/measure': /^(?:vscode|node:.*)$/,
  'extension/sessions': /^vscode$/,
  'extension/models': /^vscode$/,
  'extension/summarizers': /^vscode$/,
  'extension/middleware': /^(?:vscode|node:.*)$/,
  'extension/protocol': /^(?:vscode|node:.*)$/,
  'extension/inspection': /^vscode$/,
  'extension/evaluation': /^vscode$/,
  'extension/conversations': /^vscode$/,
  'extension/library': /^vscode$/,
  'extension/gateway': /^vscode$/,
  'extension/agents': /^vscode$/,
  'extension/cli': /^vscode$/,
  webview: /^(?:vscode|node:.*)$/,
};

/** Parts without circles of files. */
const acyclic = Object.keys(allowed);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

describe('the borders between the parts', () => {
  for (const part of Object.keys(allowed)) {
    it(`${part} imports only what it may`, () => {
      const imports = importsOf(part);
      expect(imports.length).toBeGreaterThan(0);
      expect(imports.filter((found) => !isAllowed(part, found)).map(describeImport)).toEqual([]);
    });
  }

  it('stack the floors of the engine: no import, type imports included, runs up', () => {
    const folders = readdirSync(join(root, 'extension/engine'));
    expect(folders.sort()).toEqual([...floors].sort());
    const upward = importsOf('extension/engine').filter(({ from, to }) => floorOf(from) < floorOf(relative(root, to)));
    expect(upward.map(describeImport)).toEqual([]);
  });

  it('leave no circle of files, type imports included', () => {
    const files = acyclic.flatMap(importsOf);
    const circles = circlesOf(files.filter(({ to }) => to.startsWith('/')).map(({ from, to }) => [from, fileOf(to)]));
    expect(circles).toEqual([]);
  });

  it('keep the tables of the tokenizer out of what every start of the editor loads', () => {
    const eager = /^import [^;]*conversation\/tokenizer'/m;
    const files = sourceFiles('extension').filter((file) => eager.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });

  it('keep the clock, randomness and the network out of the engine and of what measures', () => {
    const pure = ['extension/engine', measure];
    const impure =
      /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|fetch\(|setTimeout|setInterval|process\.)/;
    const files = pure.flatMap(sourceFiles).filter((file) => impure.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });
});

/** 0 is the lowest; what is in no folder of the engine is below all of them. */
function floorOf(path: string): number {
  const [, , folder = ''] = path.split('/');
  return (floors as readonly string[]).indexOf(folder);
}

/** The file that an import names without its extension, relative to the root. */
function fileOf(to: string): string {
  const endings = ['', '.ts', '.svelte', '.svelte.ts', '/index.ts'];
  const found = endings.map((ending) => `${to}${ending}`).find((path) => existsSync(path) && statSync(path).isFile());
  if (found === undefined) throw new Error(`An import names ${to}, which is no file.`);
  return relative(root, found);
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
function circlesOf(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const targets = Map.groupBy(edges, ([from]) => from);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    lowest.set(file, own);
    path.push(file);
    for (const [, to] of targets.get(file) ?? []) {
      const reached = index.has(to) ? (path.includes(to) ? (index.get(to) ?? own) : own) : visit(to);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached));
    }
    const low = lowest.get(file) ?? own;
    if (low === own) {
      const circle = path.splice(path.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return circles.sort(([a = ''], [b = '']) => a.localeCompare(b));
}

/** The dashboard as a page of its own has no host to ask, so it computes its report itself. */
function isPagesOwnReport({ from, to }: Import): boolean {
  return isWithin(from, 'webview/page') && isWithin(relative(root, to), 'extension/evaluation/measure');
}

function isAllowed(part: string, found: Import): boolean {
  const { to, typeOnly } = found;
  if (!to.startsWith('/')) return !forbidden[part]?.test(to);
  const target = relative(root, to);
  if (isWithin(target, part)) return true;
  if (part === 'webview' && typeOnly && (isWithin(target, 'extension/engine') || isWithin(target, measure)))
    return true;
  if (isPagesOwnReport(found) || target === 'package.json') return true;
  return (allowed[part] ?? []).some((other) => isWithin(target, other));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const importPattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;

function importsOf(part: string): Import[] {
  return sourceFiles(part).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importPattern)].map(([, type, to = '']) => ({
      from: relative(root, file),
      to: to.startsWith('.') ? resolve(dirname(file), to) : to,
      typeOnly: type !== undefined,
    })),
  );
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|svelte)$/.test(name))
    .map((name) => join(root, folder, name));
}

function describeImport({ from, to }: Import): string {
  return `${from} -> ${to.startsWith('/') ? relative(root, to) : to}`;
}
