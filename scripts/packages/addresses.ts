/**
 * The field `repository` of the project's `package.json`, once its publisher has set it: `{ "type": "git", "url":
 * "git+https://…" }`. npm's provenance and the Marketplace's links need it.
 */
export interface Repository {
  readonly type: 'git';
  readonly url: string;
}

/** The page of the repository: its URL without `git+` and `.git`. */
export function pageOf({ url }: Repository): string {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** The fields of a package that link to its project; empty if there is no repository yet. */
export function addressesOf(repository: Repository | undefined) {
  if (repository === undefined) return {};
  const page = pageOf(repository);
  return { repository, homepage: `${page}#readme`, bugs: { url: `${page}/issues` } };
}
