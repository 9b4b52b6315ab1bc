import { posix } from 'node:path';

/** Where a link out of `docs` leads; null if it stays there. `page` is the page's path in `docs`. */
export function repositoryPage(page: string, href: string, repository: string | undefined): string | null {
  const path = posix.join('docs', posix.dirname(page), href);
  if (!href.startsWith('../') || path.startsWith('docs/')) return null;
  const address = repository?.replace(/^git\+/, '').replace(/\.git$/, '');
  return address === undefined ? '#' : `${address}/blob/main/${path}`;
}
