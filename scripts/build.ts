/** `npm run build` runs all builds side by side; `npm run build -- host webview` runs only these. */
import { builds, isBuild } from '../vite.config.ts';
import { buildOnce, faultsOf, secondsSince } from './builds.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !isBuild(name));
if (unknown.length > 0) throw new Error(`No build is called ${unknown}. There are: ${Object.keys(builds)}`);

const started = performance.now();
const chosen = names.length > 0 ? names : Object.keys(builds);
try {
  await Promise.all(chosen.filter(isBuild).map(buildOnce));
  console.log(`built in ${secondsSince(started)} s`);
} catch (error) {
  console.error(faultsOf(error).join('\n'));
  process.exit(1);
}
