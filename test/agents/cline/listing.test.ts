import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cline } from '../../../extension/agents/cline/format/adapter';
import { temporaryFolders } from '../../sessions/temporary';
import { type Fields, prompt, reply, words, write, writeCliSession } from './session-files';

const folder = temporaryFolders();
const manifest = { session_id: 's1', status: 'completed', cwd: '/home/ada/scratch', metadata: { title: 'Fix it' } };

/** A session with 100 MB of messages that are not valid JSON, so that reading them would yield no session. */
function hugeSession(more: Fields): string {
  const file = writeCliSession(folder(), [], { manifest: { ...manifest, ...more } });
  truncateSync(file, 100 * 1024 * 1024);
  return file;
}

function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

async function listed(file: string) {
  const { sessions, issues } = await cline.list(file);
  expect(issues).toEqual([]);
  return sessions[0];
}

describe('a list of Cline sessions', () => {
  it('reads only the manifest of a large session', async () => {
    expect(await listed(hugeSession({}))).toMatchObject({
      key: null,
      id: 's1',
      cwd: '/home/ada/scratch',
      title: 'Fix it',
      awaitsReply: false,
      inUse: false,
    });
  });

  it('reads a large session whose manifest has no title', async () => {
    const long = reply('a1', [words('x'.repeat(300_000))]);
    const file = writeCliSession(folder(), [prompt('q1', 'hello'), long], { manifest: { status: 'completed' } });
    expect(await listed(file)).toMatchObject({ title: 'hello' });
    const broken = hugeSession({ metadata: {} });
    expect((await cline.list(broken)).issues).toHaveLength(1);
  });

  it('shows a session as in use only while its process runs', async () => {
    const running = { status: 'running', pid: process.pid };
    expect(await listed(hugeSession(running))).toMatchObject({ inUse: true, awaitsReply: true });
    for (const ended of [
      { status: 'running', pid: endedProcess() },
      { status: 'running', pid: 0 },
      { status: 'running', pid: -1 },
      { status: 'running' },
      { status: 'completed', pid: process.pid },
    ]) {
      expect(await listed(hugeSession(ended))).toMatchObject({ inUse: false });
      const small = writeCliSession(folder(), [prompt('q1', 'hello')], { manifest: { ...manifest, ...ended } });
      expect(await listed(small)).toMatchObject({ inUse: false });
    }
  });

  it('leaves out a large subagent session without reading it', async () => {
    const file = write(`${folder()}/s1/agent_1795000000600_x.messages.json`, '');
    truncateSync(file, 100 * 1024 * 1024);
    expect(await listed(file)).toMatchObject({ id: 'agent_1795000000600_x', isUnlisted: true });
  });
});
