import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Imports go one way, as docs/architecture.md draws it. */

const root = resolve(import.meta.dirname, '..');

const engine = ['extension/engine'];
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
  'extension/models': engine,
  'extension/summarizers': [...engine, 'extension/models'],
  'extension/middleware': [...engine, 'extension/sessions', 'extension/models'],
  'extension/protocol': engine,
  'extension/inspection': [...engine, 'extension/sessions'],
  'extension/evaluation': [...engine, 'extension/sessions', 'extension/models', 'extension/summarizers'],
  'extension/library': [
    ...engine,
    'extension/sessions',
    'extension/models',
    'extension/summarizers',
    'extension/middleware',
    'extension/inspection',
  ],
  'extension/gateway': [...engine, 'extension/models', 'extension/middleware'],
  'extension/cli': [
    ...engine,
    ...middle,
    'extension/inspection',
    'extension/evaluation',
    'extension/library',
    'extension/gateway',
  ],
  'extension/host': [...engine, ...middle, 'extension/inspection', 'extension/evaluation', 'extension/gateway'],
  webview: ['extension/protocol'],
};

/** Packages and built-ins that a part must do without. */
const forbidden: Readonly<Record<string, RegExp>> = {
  'extension/engine': /^(?:vscode|node:.*)$/,
  'extension/sessions': /^vscode$/,
  'extension/models': /^vscode$/,
  'extension/summarizers': /^vscode$/,
  'extension/middleware': /^(?:vscode|node:.*)$/,
  'extension/protocol': /^(?:vscode|node:.*)$/,
  'extension/inspection': /^vscode$/,
  'extension/evaluation': /^vscode$/,
  'extension/library': /^vscode$/,
  'extension/gateway': /^vscode$/,
  'extension/cli': /^vscode$/,
  webview: /^(?:vscode|node:.*)$/,
};

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

  it('keep the tables of the tokenizer out of what every start of the editor loads', () => {
    const eager = /^import [^;]*conversation\/tokenizer'/m;
    const files = sourceFiles('extension').filter((file) => eager.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });

  it('keep the clock, randomness and the network out of the engine', () => {
    const impure =
      /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|fetch\(|setTimeout|setInterval|process\.)/;
    const files = sourceFiles('extension/engine').filter((file) => impure.test(readFileSync(file, 'utf8')));
    expect(files.map((file) => relative(root, file))).toEqual([]);
  });
});

/** The dashboard as a page of its own has no host to ask, so it computes its report itself. */
function isPagesOwnReport({ from, to }: Import): boolean {
  return isWithin(from, 'webview/page') && isWithin(relative(root, to), 'extension/engine/evaluation');
}

function isAllowed(part: string, found: Import): boolean {
  const { to, typeOnly } = found;
  if (!to.startsWith('/')) return !forbidden[part]?.test(to);
  const target = relative(root, to);
  if (isWithin(target, part)) return true;
  if (part === 'webview' && typeOnly && isWithin(target, 'extension/engine')) return true;
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
