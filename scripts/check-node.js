/**
 * Ends with a message where Node.js is older than `engines.node` says. Plain JavaScript, so that an old Node.js can run it.
 *
 * npm scripts run with the Node.js among the development dependencies, so this speaks up only where that is not installed.
 */
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = Number(/\d+/.exec(engines.node));

if (Number.parseInt(process.versions.node, 10) < oldest) {
  console.error(
    `Strata needs Node.js ${oldest} or newer. This is ${process.version}, at ${process.execPath}.\n` +
      'Install a newer one (https://nodejs.org), or run `npm ci` with install scripts enabled: it installs one for the npm scripts.',
  );
  process.exit(1);
}
