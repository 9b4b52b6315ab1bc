/** `npm run package`: builds what is older than its sources and writes the packages to `dist/packages`. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { builds, isBuild } from '../../vite.config.ts';
import { buildStale, faultsOf } from '../builds.ts';
import { type Artefact, contents } from './contents.ts';
import { packAll, packageFile } from './pack.ts';

try {
  await buildStale(Object.keys(builds).filter(isBuild));
} catch (error) {
  console.error(faultsOf(error).join('\n'));
  process.exit(1);
}
await packAll();
for (const artefact of Object.keys(contents) as Artefact[]) {
  const { size } = await stat(packageFile(artefact));
  console.log(`${basename(packageFile(artefact))}  ${(size / 1_000_000).toFixed(2)} MB`);
}
