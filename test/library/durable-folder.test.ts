import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { conversationFolder } from '../../extension/library/node';
import { programWith, reply, user } from './many-agents';

it('a durable folder has a request and its answer on the disk before they are passed on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-durable-'));
  const { send } = await programWith({ shelf: conversationFolder({ folder, isDurable: true }) });
  await send([user('Go.')], 'Done.');
  const file = await open(join(folder, 'any'), 'w');
  const datasync = vi.spyOn(Object.getPrototypeOf(file), 'datasync');
  try {
    await send([user('Go.'), reply('Done.'), user('And now?')], 'Done too.');
    // A later sync covers both files at once.
    expect(datasync.mock.calls.length).toBeGreaterThanOrEqual(2);
  } finally {
    datasync.mockRestore();
    await file.close();
  }
});
