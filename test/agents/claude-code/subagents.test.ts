import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { fixtures } from '../../sessions/samples';
import { answered, call, chained, type Row, replied, said, text } from './rows';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-subagents-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, rows: readonly Row[]): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}

async function opened(file: string): Promise<Session> {
  const outcome = await openSession(file, { environment: { home: folder, variables: {} } });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

const delegated = (id: string, prompt: string): Row => ({ type: 'tool_use', id, name: 'Task', input: { prompt } });

function subagentRows(agentId: string, prompt: string, sessionId = 'session'): Row[] {
  return chained(said(`${agentId}-q`, prompt), replied(`${agentId}-a`, [text('done')])).map((row) => ({
    ...row,
    isSidechain: true,
    agentId,
    sessionId,
  }));
}

describe('subagents', () => {
  it('subagents of a real session belong to the call that its meta file names', async () => {
    const id = '7800e132-8dd2-4ab7-b45b-0ba566a8975e';
    cpSync(join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl'), join(folder, `${id}.jsonl`));
    cpSync(join(fixtures, 'claude-code-2.1.330', 'subagents'), join(folder, id, 'subagents'), { recursive: true });
    const child = join(folder, id, 'subagents', 'agent-a2ec853d901461fb5.jsonl');
    const session = await opened(join(folder, `${id}.jsonl`));
    expect(session.subagents).toEqual([{ callId: 'toolu_mwqv010p00002b', file: child, title: 'List files' }]);
    expect(session.parent).toBeUndefined();
    const subagent = await opened(child);
    expect(subagent.parent).toEqual({ file: join(folder, `${id}.jsonl`), callId: null });
    expect(subagent.subagents).toEqual([]);
  });

  it('subagents of older versions lie beside the session, and are found by the id in the result or by the prompt', async () => {
    const file = write(
      'session.jsonl',
      chained(
        said('u1', 'go'),
        replied('a1', [delegated('c1', 'look here'), delegated('c2', 'look there'), call('c3')]),
        answered('r1', 'c1', [text('found it'), text('agentId: one (for resuming)')]),
        answered('r2', 'c2', 'nothing'),
        answered('r3', 'c3', 'ok'),
      ),
    );
    const one = write('agent-one.jsonl', subagentRows('one', 'a prompt that was changed'));
    const two = write('agent-two.jsonl', subagentRows('two', 'look there'));
    write('agent-other.jsonl', subagentRows('other', 'look here', 'another-session'));
    expect((await opened(file)).subagents).toEqual([
      { callId: 'c1', file: one, title: 'a prompt that was changed' },
      { callId: 'c2', file: two, title: 'look there' },
    ]);
    expect((await opened(one)).parent).toEqual({ file, callId: null });
  });

  it('subagents of a subagent are its own, though they lie in one folder with it', async () => {
    const file = write('session.jsonl', chained(said('u1', 'go'), replied('a1', [delegated('c1', 'first')])));
    const first = [
      ...subagentRows('first', 'first'),
      {
        ...replied('more', [delegated('c2', 'second')]),
        parentUuid: 'first-a',
        isSidechain: true,
        agentId: 'first',
        sessionId: 'session',
      },
    ];
    const firstFile = write('session/subagents/agent-first.jsonl', first);
    const secondFile = write('session/subagents/agent-second.jsonl', subagentRows('second', 'second'));
    writeFileSync(secondFile.replace('.jsonl', '.meta.json'), JSON.stringify({ toolUseId: 'c2', spawnDepth: 2 }));
    expect((await opened(file)).subagents.map((subagent) => subagent.file)).toEqual([firstFile]);
    expect((await opened(firstFile)).subagents).toEqual([{ callId: 'c2', file: secondFile, title: 'second' }]);
  });

  it('subagents are shown without their call if no record names it or their files cannot be read', async () => {
    const file = write('session.jsonl', chained(said('u1', 'go')));
    const lost = write('session/subagents/agent-lost.jsonl', []);
    writeFileSync(lost.replace('.jsonl', '.meta.json'), '{"toolUseId": "c');
    mkdirSync(join(folder, 'session', 'subagents', 'agent-folder.jsonl'));
    expect((await opened(file)).subagents).toEqual([{ callId: null, file: lost, title: null }]);
  });
});
