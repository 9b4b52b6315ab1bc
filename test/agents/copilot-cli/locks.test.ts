import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'strata-copilot-locks-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function lock(session: string, written = new Date()): void {
  const folder = join(home, '.copilot/session-state', session);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `inuse.${process.pid}.lock`);
  writeFileSync(file, '');
  utimesSync(file, written, written);
}

async function locked() {
  const environment = { home, variables: {} };
  const occupancy = await copilotCli.occupancy?.(environment);
  return {
    inUse: [...(occupancy?.inUse ?? [])],
    left: [...(occupancy?.left ?? [])],
    ofProcess: await copilotCli.sessionOfProcess?.(process.pid, environment),
  };
}

it('counts a session as in use whose lock names a running process', async () => {
  lock('open');
  expect(await locked()).toEqual({ inUse: ['open'], left: [], ofProcess: 'open' });
});

it.runIf(process.platform === 'linux')(
  'counts a session as left whose lock is older than the process with its number',
  async () => {
    lock('open');
    lock('left', new Date(Date.now() - process.uptime() * 1000 - 3_600_000));
    expect(await locked()).toEqual({ inUse: ['open'], left: ['left'], ofProcess: 'open' });
  },
);
