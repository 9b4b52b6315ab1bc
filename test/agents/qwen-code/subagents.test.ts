import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { build } from '../../sessions/build';
import { temporaryFolders } from '../../sessions/temporary';
import { chained, said } from './rows';

const folder = temporaryFolders();

describe('subagents of a Qwen Code session', () => {
  it('names the call and the title of a subagent from its metadata, once the metadata is complete', async () => {
    const project = folder();
    const subagents = join(project, 'subagents', 'session');
    mkdirSync(subagents, { recursive: true });
    for (const name of ['one', 'two']) writeFileSync(join(subagents, `agent-${name}.jsonl`), '');
    const session = { ...build(qwenCode, chained(said('q1', 'go'))), file: join(project, 'chats', 'session.jsonl') };
    const found = async () =>
      (await qwenCode.subagentsOf?.(session))?.map(({ file, callId, title }) => [basename(file), callId, title]);
    const write = (name: string, text: string) => writeFileSync(join(subagents, `agent-${name}.meta.json`), text);
    write('one', JSON.stringify({ toolUseId: 'c1', description: 'First' }));
    write('two', '{"toolUseId": "c');
    expect(await found()).toEqual([
      ['agent-one.jsonl', 'c1', 'First'],
      ['agent-two.jsonl', null, null],
    ]);
    write('two', JSON.stringify({ toolUseId: 'c2', description: 'Second' }));
    expect((await found())?.[1]).toEqual(['agent-two.jsonl', 'c2', 'Second']);
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
