import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../../docs/.vitepress/config';
import { repositoryPage } from '../../docs/.vitepress/repository-page';
import { agentNames } from '../../extension/sessions/session';
import { anchorsOf, pages, root } from './pages';

interface Link {
  readonly from: string;
  readonly to: string;
}

/** Links and pictures of a page that lead to files of the project. */
function linksOf({ path, text }: (typeof pages)[number]): Link[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
  return targets.filter((to) => !/^[a-z]+:/.test(to)).map((to) => ({ from: path, to }));
}

function faultOf({ from, to }: Link): string | null {
  const [file = '', anchor] = to.split('#');
  const path = file === '' ? from : posix.join(posix.dirname(from), file);
  if (!existsSync(join(root, path))) return `${from}: ${to} is not there`;
  if (anchor === undefined || !path.endsWith('.md')) return null;
  return anchorsOf(readFileSync(join(root, path), 'utf8')).has(anchor)
    ? null
    : `${from}: ${path} has no heading #${anchor}`;
}

it('every link of every page leads to a page and a heading that exist', () => {
  const links = pages.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(150);
  expect(links.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
});

it('a link to a missing page or heading is a fault', () => {
  expect(faultOf({ from: 'docs/cli.md', to: 'no.md' })).toBe('docs/cli.md: no.md is not there');
  expect(faultOf({ from: 'docs/cli.md', to: '#no' })).toBe('docs/cli.md: docs/cli.md has no heading #no');
});

/** Paths from the root of the project that a page names in code, such as `extension/main.ts`. */
function namedPathsOf({ path, text }: (typeof pages)[number]): Link[] {
  const paths = [...text.matchAll(/`((?:extension|webview|media|test|scripts)\/[\w./-]+)`/g)].map(([, to = '']) => to);
  return paths.filter((to) => !notInTheTree.test(to)).map((to) => ({ from: path, to }));
}

/** Paths that the pages name and the repository does not have: what tests write, and a menu of VS Code. */
const notInTheTree = /^test\/\.output\b|^webview\/context$/;

it('every file and folder that a page names in code exists', () => {
  const missing = pages.flatMap(namedPathsOf).filter(({ to }) => !existsSync(join(root, to)));
  expect(missing.map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
});

interface SidebarItem {
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

const linksIn = ({ link, items = [] }: SidebarItem): string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksIn),
];

describe('the side bar of the site', () => {
  const links = ((config.themeConfig?.sidebar ?? []) as readonly SidebarItem[]).flatMap(linksIn);
  const pageOf = (link: string) =>
    `docs${link}${link.endsWith('/') ? 'index' : ''}.md`.replace('api/index', 'api/README');

  it('names pages that exist', () => {
    expect(links.map(pageOf).filter((page) => !existsSync(join(root, page)))).toEqual([]);
  });

  it('names every page but those that others lead to', () => {
    const named = new Set(links.map(pageOf));
    const others = /^docs\/(?:decisions|api)\//;
    expect(
      pages
        .map(({ path }) => path)
        .filter((path) => path.startsWith('docs/') && !others.test(path) && !named.has(path)),
    ).toEqual([]);
  });

  it('has a page for each agent', () => {
    const titles = pages
      .filter(({ path }) => path.startsWith('docs/agents/'))
      .map(({ text }) => text.slice(2, text.indexOf('\n')));
    const { strata: _ownConversations, ...agents } = agentNames;
    expect(titles.sort()).toEqual(Object.values(agents).sort());
  });

  it.each(['README.md', 'docs/index.md', 'docs/agents.md', 'scripts/packages/readmes/cli.md'])(
    'is not the only place that names each agent: %s does too',
    (page) => {
      const { strata: _ownConversations, 'vscode-chat': _namedInASentence, ...agents } = agentNames;
      expect(Object.values(agents).filter((name) => !textOfPage(page).includes(name))).toEqual([]);
    },
  );

  it('is not the only place that names each agent: the command line’s page has their ids', () => {
    const text = textOfPage('docs/cli.md');
    expect(Object.keys(agentNames).filter((id) => !text.includes(`\`${id}\``))).toEqual([]);
  });
});

function textOfPage(page: string): string {
  return readFileSync(join(root, page), 'utf8').replace(/\s+/g, ' ');
}

describe('a link of the site that leads out of its folder', () => {
  it('leads to the repository', () => {
    const repository = { type: 'git', url: 'git+https://github.com/anna/strata.git' } as const;
    expect(repositoryPage('study.md', '../CHANGELOG.md', repository)).toBe(
      'https://github.com/anna/strata/blob/main/CHANGELOG.md',
    );
    expect(repositoryPage('decisions/0001.md', '../study.md', repository)).toBeNull();
  });
});
