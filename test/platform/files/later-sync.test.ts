import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LaterSync } from '../../../extension/platform/files/later-sync';

it('reports once that a deleted file could not be synced to the disk', async () => {
  const failures: unknown[] = [];
  const sync = new LaterSync(
    join(await mkdtemp(join(tmpdir(), 'strata-')), 'gone'),
    (error) => failures.push(error),
    1,
  );
  sync.written();
  sync.written();
  await vi.waitFor(() => expect(failures).toEqual([expect.objectContaining({ code: 'ENOENT' })]));
});
