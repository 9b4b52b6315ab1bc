/**
 * `npm test` begins with this. It prints in one line which programs the tests need and this machine lacks, and how to
 * install them.
 */
import { postgresBinaries, redisBinary } from './conversations/stores/servers.ts';
import { hasChromium } from './editor/browser-editor/chromium.ts';

const servers = process.platform === 'linux';
const needed = [
  { name: 'Chromium', packageName: 'chromium', isThere: hasChromium() },
  { name: 'PostgreSQL', packageName: 'postgresql', isThere: !servers || postgresBinaries() !== null },
  { name: 'Redis', packageName: 'redis-server', isThere: !servers || redisBinary() !== null },
];
const missing = needed.filter(({ isThere }) => !isThere);

if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ');
  const packages = missing.map(({ packageName }) => packageName).join(' ');
  console.error(`npm test needs ${names}, which this machine does not have. On Debian: apt-get install ${packages}`);
  process.exitCode = 1;
}
