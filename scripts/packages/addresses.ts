/**
 * `package.json` of the project has it once its publisher set it: `{ "type": "git", "url": "git+https://…" }`. Required for
 * npm's provenance and the Marketplace's links.
 */
export interface Repository {
  readonly type: 'git';
  readonly url: string;
}

/** Without `git+` and `.git`: the repository's page. */
export function pageOf({ url }: Repository): string {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** The fields of a package that lead to its project; none as long as there is no repository. */
export function addressesOf(repository: Repository | undefined) {
  if (repository === undefined) return {};
  const page = pageOf(repository);
  return { repository, homepage: `${page}#readme`, bugs: { url: `${page}/issues` } };
}
