import { mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { kindNames } from '../../extension/conversations/stores/places/store-kinds';
import { expectStarts, newStorePlace } from '../cli/store-places';
import { newFolder } from '../conversations/stores/stores';
import { withServers } from '../conversations/stores/with-servers';
import { installPackages } from './installed';

/** Tests of the packed command on each store that the documentation names, with the real servers. */

let folder = '';
beforeAll(async () => {
  folder = await newFolder('packed');
  await installPackages(folder, ['cli']);
  // The package that the documentation tells people to install beside it.
  await mkdir(join(folder, 'node_modules/@electric-sql'), { recursive: true });
  const pglite = resolve(import.meta.dirname, '../../node_modules/@electric-sql/pglite');
  await symlink(pglite, join(folder, 'node_modules/@electric-sql/pglite'), 'junction');
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));
const servers = withServers();

it.each(kindNames)(
  'the packed command starts on a store of the kind %s',
  async (kind) => {
    const command = join(folder, 'node_modules/strata-context-cli/dist/cli/strata.js');
    await expectStarts(command, await newStorePlace[kind](servers));
  },
  120_000,
);
