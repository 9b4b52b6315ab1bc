import { join } from 'node:path';
import { beforeAll, it } from 'vitest';
import { kindNames } from '../../extension/conversations/stores/places/store-kinds';
import { buildTimeoutMs, built } from '../builders/built';
import { withServers } from '../conversations/stores/with-servers';
import { expectAllDocumented, expectStarts, newStorePlace } from './store-places';

let command: string;
beforeAll(async () => {
  command = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);
const servers = withServers();

it('the documentation names these kinds of stores and no others', () => expectAllDocumented());

// PGlite is a package beside the installed command, so the tests of the packages cover it.
it.each(kindNames.filter((kind) => kind !== 'pglite'))(
  'strata serve and the inspector start on a store of the kind %s',
  async (kind) => {
    await expectStarts(command, await newStorePlace[kind](servers));
  },
  120_000,
);
