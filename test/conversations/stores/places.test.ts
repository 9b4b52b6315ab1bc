import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../extension/conversations/stores/places/open-store';
import { newFolder } from './stores';
import { withServers } from './with-servers';

const key = { scope: 'acme', id: 'one' };
const description = { begins: 'b', name: 'thread-1', created: '2026-01-01T00:00:00.000Z' };

const servers = withServers();

const places: Readonly<Record<string, () => Promise<string>>> = {
  'postgres:': async () => servers.postgres.address,
  'redis:': async () => servers.redis.address,
  'sqlite:': async () => `sqlite:${join(await newFolder('place'), 'strata.db')}`,
  'pglite:': async () => `pglite:${await newFolder('place')}`,
  'a folder': async () => await newFolder('place'),
};

describe('a store by its place on the command line', () => {
  it.each(Object.entries(places))('has what was stored there before: %s', async (_name, place) => {
    const address = await place();
    const first = await openStore(address, { tell: expect.unreachable });
    expect(await first.append(key, 0, ['a record'], description)).toEqual({ kind: 'appended' });
    await first.close();
    const second = await openStore(address, { tell: expect.unreachable });
    expect(await second.read(key, 0)).toEqual(['a record']);
    expect((await second.list('acme')).map(({ name, length }) => [name, length])).toEqual([['thread-1', 1]]);
    await second.close();
  });

  it('a store that does not exist is named without its password', async () => {
    await expect(openStore('mysql://db', { tell: expect.unreachable })).rejects.toThrow('There is no store "mysql:"');
    await expect(openStore('sqlite:', { tell: expect.unreachable })).rejects.toThrow('sqlite: needs a file');
    await expect(openStore('redis://me:secret@127.0.0.1:1', { tell: () => undefined })).rejects.toThrow(
      /^The store redis:\/\/me@127\.0\.0\.1:1 cannot be opened: /,
    );
  });
});
