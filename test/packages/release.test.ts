import { describe, expect, it } from 'vitest';
import { addressesOf } from '../../scripts/packages/addresses';
import { releaseFaults } from '../../scripts/packages/release-faults';
import { releaseNotes } from '../../scripts/packages/release-notes';

const changelog = `# Changelog

## Unreleased

- Something new.

## 1.2.0

### Added
- A thing.

### Fixed
- A fault.

## 1.1.0

- Before there were sections.
`;

const right = {
  tag: 'v1.2.0',
  version: '1.2.0',
  changelog,
  repository: 'git+https://github.com/anna/strata.git',
  builtFrom: 'anna/strata',
};

it('a package has addresses as soon as the project has a repository', () => {
  const repository = { type: 'git', url: 'git+https://github.com/anna/strata.git' } as const;
  expect(addressesOf(undefined)).toEqual({});
  expect(addressesOf(repository)).toEqual({
    repository,
    homepage: 'https://github.com/anna/strata#readme',
    bugs: { url: 'https://github.com/anna/strata/issues' },
  });
});

describe('a release', () => {
  it('may be published when tag, version, repository and changelog agree', () => {
    expect(releaseFaults(right)).toEqual([]);
  });

  it.each([
    ['of another version', { tag: 'v1.3.0' }, /tag is v1\.3\.0, and package\.json has version 1\.2\.0/],
    ['without a repository', { repository: undefined }, /no "repository"/],
    ['from a fork', { builtFrom: 'bert/strata' }, /names the repository anna\/strata, and this is bert\/strata/],
    ['without a section in the changelog', { changelog: '# Changelog\n' }, /no section "## 1\.2\.0"/],
    ['whose entries are in no section', { version: '1.1.0', tag: 'v1.1.0' }, /outside "### Added"/],
    ['with a section of another name', { changelog: '## 1.2.0\n\n### Misc\n- A thing.\n' }, /section "Misc"/],
  ])('%s is refused', (_name, wrong, why) => {
    expect(releaseFaults({ ...right, ...wrong })).toEqual([expect.stringMatching(why)]);
  });

  it('has the section of its version as its notes', () => {
    expect(releaseNotes(changelog, '1.2.0').text).toBe('### Added\n- A thing.\n\n### Fixed\n- A fault.');
  });
});
