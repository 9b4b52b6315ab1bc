/** Section headings of a released version, from https://keepachangelog.com. */
export const sections = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** The changelog of a version, and faults in its form. */
export interface ReleaseNotes {
  readonly text: string;
  readonly faults: readonly string[];
}

export function releaseNotes(changelog: string, version: string): ReleaseNotes {
  const found = changelog.split(/^## /m).find((section) => section.split(/\s/, 1)[0] === version);
  if (found === undefined) return { text: '', faults: [`CHANGELOG.md has no section "## ${version}".`] };
  const text = found.slice(found.indexOf('\n')).trim();
  return { text, faults: [...unknownSections(text), ...unsorted(text)] };
}

function unknownSections(text: string): string[] {
  const named = [...text.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name.trim());
  const unknown = named.filter((name) => !sections.includes(name));
  return unknown.map((name) => `CHANGELOG.md has a section "${name}"; there are: ${sections.join(', ')}.`);
}

function unsorted(text: string): string[] {
  return text.startsWith('### ') ? [] : ['CHANGELOG.md has entries of this version outside "### Added" and the like.'];
}
