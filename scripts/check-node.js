/**
 * Ends with a message if Node.js is older than `engines.node` requires. This is plain JavaScript, so that an old
 * Node.js can run it. npm scripts run with the Node.js of the development dependencies, so the check fails only if that
 * is not installed.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [, oldest, major, minor] = /((\d+)\.(\d+))/.exec(engines.node);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);

if (ownMajor < Number(major) || (ownMajor === Number(major) && ownMinor < Number(minor))) {
  console.error(
    `Strata needs Node.js ${oldest} or newer. This is ${process.version}, at ${process.execPath}.\n` +
      'Install a newer one (https://nodejs.org), or run `npm ci` with install scripts enabled: it installs one for the npm scripts.',
  );
  process.exit(1);
}
