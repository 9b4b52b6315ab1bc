import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Tests that imports go one way, as docs/architecture.md draws it. */

const root = resolve(import.meta.dirname, '..');

/*
 * A part is one or several folders: all session formats and forks are one part with `sessions`, and everything that
 * works inside an agent is one with `inside`.
 */
const engine = ['extension/engine'];
const base = [...engine, 'extension/platform'];
const formats = ['extension/sessions', 'extension/agents/*/format', 'extension/agents/*/fork'];
const inside = ['extension/inside', 'extension/agents/*/inside', 'extension/agents/*/setup.ts'];
/** How an evaluation is measured, without files or threads. It is pure like the engine, so that a page can run it. */
const measure = 'extension/evaluation/measure';
const served = [
  ...formats,
  'extension/models',
  'extension/summarizers',
  'extension/middleware',
  'extension/inspection',
];
const doors = [...inside, 'extension/conversations', 'extension/evaluation', 'extension/gateway', 'extension/protocol'];

interface PartRule {
  readonly folders: readonly string[];
  /** The other parts that this part may import. */
  readonly imports: readonly string[];
  /** Packages and built-ins that it must not import. */
  readonly without?: RegExp;
}

const pure = /^(?:vscode|node:.*)$/;
const editor = /^vscode$/;

const parts: Readonly<Record<string, PartRule>> = {
  engine: { folders: engine, imports: [], without: pure },
  platform: { folders: ['extension/platform'], imports: engine, without: editor },
  'session formats': { folders: formats, imports: base, without: editor },
  models: { folders: ['extension/models'], imports: base, without: editor },
  summarizers: { folders: ['extension/summarizers'], imports: [...base, 'extension/models'], without: editor },
  middleware: { folders: ['extension/middleware'], imports: [...base, ...formats, 'extension/models'], without: pure },
  measure: { folders: [measure], imports: engine, without: pure },
  protocol: { folders: ['extension/protocol'], imports: [...engine, measure], without: pure },
  inspection: { folders: ['extension/inspection'], imports: [...base, ...formats], without: editor },
  evaluation: {
    folders: ['extension/evaluation'],
    imports: [...base, ...formats, 'extension/models', 'extension/summarizers'],
    without: editor,
  },
  conversations: { folders: ['extension/conversations'], imports: [...base, ...served], without: editor },
  library: {
    folders: ['extension/library'],
    imports: [...base, ...served, 'extension/conversations'],
    without: editor,
  },
  gateway: {
    folders: ['extension/gateway'],
    imports: [...base, 'extension/models', 'extension/middleware'],
    without: editor,
  },
  'inside agents': { folders: inside, imports: [...base, ...served, 'extension/conversations'], without: editor },
  'command line': {
    folders: ['extension/cli'],
    imports: [...base, ...served, ...doors, 'extension/library'],
    without: editor,
  },
  host: { folders: ['extension/host'], imports: [...base, ...served, ...doors] },
  webview: { folders: ['webview'], imports: ['extension/protocol'], without: pure },
};

/** The floors of the engine, lowest first. A floor imports only floors below it. */
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

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

describe('the borders between the parts', () => {
  for (const [name, rule] of Object.entries(parts)) {
    it(`let ${name} import only what it may`, () => {
      const imports = importsOf(rule.folders);
      expect(imports.length).toBeGreaterThan(0);
      expect(imports.filter((found) => !isAllowed(rule, found)).map(describeImport)).toEqual([]);
    });
  }

  it('give every file a part', () => {
    const files = [...sourceFiles('extension'), ...sourceFiles('webview')].map((file) => relative(root, file));
    const folders = Object.values(parts).flatMap((rule) => rule.folders);
    const left = files.filter((file) => !folders.some((folder) => isWithin(file, folder)));
    expect(left).toEqual(['extension/main.ts']);
  });

  it('stack the floors of the engine: no import, type imports included, runs up', () => {
    const folders = readdirSync(join(root, 'extension/engine'));
    expect(folders.sort()).toEqual([...floors].sort());
    const upward = importsOf(engine).filter(({ from, to }) => floorOf(from) < floorOf(relative(root, to)));
    expect(upward.map(describeImport)).toEqual([]);
  });

  it('leave no circle of files, type imports included', () => {
    const files = importsOf(['extension', 'webview']);
    const circles = circlesOf(files.filter(({ to }) => to.startsWith('/')).map(({ from, to }) => [from, fileOf(to)]));
    expect(circles).toEqual([]);
  });

  it('keep the tables of the tokenizer out of what every start of the editor loads', () => {
    const eager = /^import [^;]*conversation\/tokenizer'/m;
    const files = sourceFiles('extension').filter((file) => eager.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });

  it('keep the clock, randomness and the network out of the engine and of what measures', () => {
    const impure =
      /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|fetch\(|setTimeout|setInterval|process\.)/;
    const files = [...engine, measure].flatMap(sourceFiles).filter((file) => impure.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });
});

/** The floor of a file; 0 is the lowest. Files outside the folders of the engine are below all of them. */
function floorOf(path: string): number {
  const [, , folder = ''] = path.split('/');
  return (floors as readonly string[]).indexOf(folder);
}

/** The path of an imported file without its extension, relative to the root. */
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

/** The dashboard as a page of its own has no host, so it computes its report itself. */
function isPagesOwnReport({ from, to }: Import): boolean {
  return isWithin(from, 'webview/page') && isWithin(relative(root, to), 'extension/evaluation/measure');
}

function isAllowed(rule: PartRule, found: Import): boolean {
  const { to, typeOnly } = found;
  if (!to.startsWith('/')) return !rule.without?.test(to);
  const target = relative(root, to);
  if (isPagesOwnReport(found) || target === 'package.json') return true;
  const types = rule === parts.webview && typeOnly ? [...engine, measure] : [];
  return [...rule.folders, ...rule.imports, ...types].some((folder) => isWithin(target, folder));
}

/** `*` matches one folder. An import names a file without its extension. */
function isWithin(path: string, folder: string): boolean {
  const names = path.split('/');
  return folder.split('/').every((name, index) => name === '*' || withoutEnding(names[index]) === withoutEnding(name));
}

function withoutEnding(name: string | undefined): string | undefined {
  return name?.replace(/\.ts$/, '');
}

const importPattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const dynamicImportPattern = /\bimport\((type)?['"]([^'"]+)['"]\)/g;

function importsOf(folders: readonly string[]): Import[] {
  const files = folders.flatMap((folder) =>
    sourceFiles(folder.replace(/\*.*/, '')).filter((file) => isWithin(relative(root, file), folder)),
  );
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(importPattern), ...text.matchAll(dynamicImportPattern)].map(([, type, to = '']) => ({
      from: relative(root, file),
      to: to.startsWith('.') ? resolve(dirname(file), to) : to,
      typeOnly: type !== undefined,
    }));
  });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|svelte)$/.test(name))
    .map((name) => join(root, folder, name));
}

function describeImport({ from, to }: Import): string {
  return `${from} -> ${to.startsWith('/') ? relative(root, to) : to}`;
}
