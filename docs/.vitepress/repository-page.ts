import { posix } from 'node:path';
import { pageOf, type Repository } from '../../scripts/packages/addresses.ts';

/** Where a link out of `docs` leads; null if it stays there. `page` is the page's path in `docs`. */
export function repositoryPage(page: string, href: string, repository: Repository | undefined): string | null {
  const path = posix.join('docs', posix.dirname(page), href);
  if (!href.startsWith('../') || path.startsWith('docs/')) return null;
  return repository === undefined ? '#' : `${pageOf(repository)}/blob/main/${path}`;
}
