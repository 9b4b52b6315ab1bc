/**
 * `npm run release`, for the workflow that a tag starts. One of:
 *
 *     --check TAG    whether this tag may be published: version, repository, changelog
 *     --notes TAG    prints the changelog of the version
 *     --npm          publishes the packed npm packages
 *     --dry-run      every step as far as it needs no account. With `--repository URL` in place of one that is not set yet
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { dryRunOfExtension } from './dry-run.ts';
import { isPreRelease, manifests, repository } from './manifests.ts';
import { packageFile } from './pack.ts';
import { releaseFaults } from './release-faults.ts';
import { releaseNotes } from './release-notes.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'string' },
    notes: { type: 'string' },
    npm: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
    repository: { type: 'string' },
  },
});
const { version } = manifests.extension;
const changelog = readFileSync('CHANGELOG.md', 'utf8');

if (values.repository !== undefined && !values['dry-run']) {
  console.error('--repository is for --dry-run only: a release takes the repository from package.json.');
  process.exit(1);
}
if (values.check !== undefined) check(values.check);
if (values.notes !== undefined) console.log(releaseNotes(changelog, values.notes.replace(/^v/, '')).text);
if (values.npm) publish([]);
if (values['dry-run']) await dryRun(values.repository ?? repository?.url);

function check(tag: string): void {
  const builtFrom = process.env.GITHUB_REPOSITORY;
  const faults = releaseFaults({ tag, version, changelog, repository: repository?.url, builtFrom });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** Fails if a step fails. Prints what a person still has to do before a release. */
async function dryRun(address: string | undefined): Promise<void> {
  const faults = releaseFaults({ tag: `v${version}`, version, changelog, repository: address, builtFrom: undefined });
  publish(['--dry-run']);
  await dryRunOfExtension(address);
  for (const fault of faults) console.log(`Before a release: ${fault}`);
}

/** Publishes the encoder first, because it is a peer dependency of the other packages. */
function publish(further: readonly string[]): void {
  const channel = isPreRelease ? 'next' : 'latest';
  for (const artefact of ['encoder', 'library', 'cli'] as const) {
    const options = ['--access', 'public', '--ignore-scripts', '--tag', channel, ...further];
    execFileSync('npm', ['publish', packageFile(artefact), ...options], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  }
}
