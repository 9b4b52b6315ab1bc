import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** A page in Markdown, by its path in the project. */
export interface MarkdownPage {
  readonly path: string;
  readonly text: string;
}

const besideDocs = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'SUPPORT.md'];

/** Every page that is written by hand. The API reference is generated from the sources, so it is left out. */
export const pages: readonly MarkdownPage[] = [
  ...besideDocs,
  ...markdownIn('docs'),
  ...markdownIn('scripts/packages/readmes'),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

function markdownIn(folder: string): string[] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return found
    .filter((name) => name.endsWith('.md') && !/^api\b/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** A fenced block of a page. */
export interface Snippet {
  readonly where: string;
  readonly language: string;
  readonly code: string;
}

export const snippets: readonly Snippet[] = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: code = '', index }) => ({
    where: `${path}:${text.slice(0, index).split('\n').length}`,
    language,
    code,
  })),
);

/** Ids of the headings of a page, as the site and code hosts make them. */
export function anchorsOf(text: string): Set<string> {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const seen = new Map<string, number>();
  const ids = [...prose.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const id = idOf(heading);
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  });
  return new Set(ids);
}

function idOf(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
