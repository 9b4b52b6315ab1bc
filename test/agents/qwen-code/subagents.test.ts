import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { KnownSubagents } from '../../../extension/agents/qwen-code/format/subagents';
import type { ParsedSession } from '../../../extension/sessions/session';
import { build } from '../../sessions/build';
import { temporaryFolders } from '../../sessions/temporary';
import { chained, said } from './rows';

const folder = temporaryFolders();

/** A session with subagents of these names, some of which have metadata. */
function sessionIn(project: string, names: readonly string[]): ParsedSession {
  const subagents = join(project, 'subagents', 'session');
  mkdirSync(subagents, { recursive: true });
  for (const name of names) writeFileSync(join(subagents, `agent-${name}.jsonl`), '');
  return { ...build(qwenCode, chained(said('q1', 'go'))), file: join(project, 'chats', 'session.jsonl') };
}

describe('cached subagents of a Qwen Code session', () => {
  it('reads the metadata of each subagent once', async () => {
    const project = folder();
    const metas = new Map([['one', { toolUseId: 'c1', description: 'First' }]]);
    const reads: string[] = [];
    const subagents = new KnownSubagents(async (file) => {
      const name = /agent-(.*)\.meta\.json$/.exec(file)?.[1] ?? '';
      reads.push(name);
      return metas.get(name) ?? null;
    });
    const look = async (...names: string[]) => {
      reads.length = 0;
      return (await subagents.of(sessionIn(project, names))).map(({ callId, title }) => [callId, title]);
    };
    expect([await look('one'), [...reads]]).toEqual([[['c1', 'First']], ['one']]);
    expect([await look('one'), [...reads]]).toEqual([[['c1', 'First']], []]);
    const two = [
      ['c1', 'First'],
      [null, null],
    ];
    expect([await look('two'), [...reads]]).toEqual([two, ['two']]);
    metas.set('two', { toolUseId: 'c2', description: 'Second' });
    expect([await look(), [...reads]]).toEqual([
      [
        ['c1', 'First'],
        ['c2', 'Second'],
      ],
      ['two'],
    ]);
    await look();
    expect(reads).toEqual([]);
  });
});

describe('a Qwen Code subagent', () => {
  it.each(['../../../../etc/x', '..', 'a/b', 'a\\b'])(
    'has no parent file if the session id is a path: %s',
    (sessionId) => {
      const builder = qwenCode.createBuilder(join('/p', 'subagents', 'sid', 'agent-x.jsonl'));
      const row = {
        ...said('a', 'look'),
        isSidechain: true,
        agentId: 'x-c1',
        agentName: 'x',
        parentUuid: null,
        sessionId,
      };
      builder.accept({ number: 1, text: JSON.stringify(row) });
      expect(builder.session().parent).toEqual({ file: null, callId: 'c1' });
    },
  );
});
