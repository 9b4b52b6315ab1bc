import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { asked, done, replied, TestDatabase, text, tool } from './database';

const folder = temporaryFolders();
let database: TestDatabase;
beforeEach(() => {
  database = new TestDatabase(folder());
  database.session('s');
});
afterEach(() => database[Symbol.dispose]());

async function context(): Promise<string[]> {
  const { agentContext } = (await database.read()).conversation;
  expect(contextFaults(agentContext)).toEqual([]);
  return picture(agentContext);
}

describe('the context of an OpenCode session', () => {
  it('puts the results of calls after their reply', async () => {
    database.message('s', 'm1', asked, [text('look')]);
    database.message('s', 'm2', replied, [
      { type: 'step-start' },
      text('so'),
      done('c1', 'a.txt'),
      done('c2', 'b.txt'),
    ]);
    database.message('s', 'm3', replied, [text('done')]);
    expect(await context()).toEqual([
      'user: look',
      'assistant: so + bash c1 + bash c2',
      'tool: c1 → a.txt',
      'tool: c2 → b.txt',
      'assistant: done',
    ]);
  });

  it('leaves a running call without a result until the next message', async () => {
    database.message('s', 'm1', asked, [text('look')]);
    database.message('s', 'm2', replied, [tool('c1', { status: 'running' })]);
    expect(await context()).toEqual(['user: look', 'assistant: bash c1']);
    database.message('s', 'm3', asked, [text('go on')]);
    expect((await context()).slice(2)).toEqual(['tool: c1 → [Tool execution was interrupted] !', 'user: go on']);
  });

  it('uses the error of a failed call, and the output of an interrupted command', async () => {
    const printed = { status: 'error', error: 'aborted', metadata: { interrupted: true, output: 'half' } };
    database.message('s', 'm1', replied, [tool('c1', { status: 'error', error: 'no such file' }), tool('c2', printed)]);
    expect((await context()).slice(1)).toEqual(['tool: c1 → no such file !', 'tool: c2 → half']);
  });

  it('leaves out failed replies, and stopped replies without content', async () => {
    const stopped = { ...replied, error: { name: 'MessageAbortedError' } };
    database.message('s', 'm1', asked, [text('look')]);
    database.message('s', 'm2', { ...replied, error: { name: 'APIError' } }, [text('half')]);
    database.message('s', 'm3', stopped, [{ type: 'step-start' }, { type: 'reasoning', text: 'hm' }]);
    database.message('s', 'm4', stopped, [text('as far as this')]);
    expect(await context()).toEqual(['user: look', 'assistant: as far as this']);
    expect((await database.read()).conversation.entries).toHaveLength(4);
  });

  it('sends a placeholder for a cleared result, and keeps the text in the entry', async () => {
    database.message('s', 'm1', replied, [done('c1', 'a long text', { time: { compacted: 1_795_000_000_500 } })]);
    expect((await context())[1]).toBe('tool: c1 → [Old tool result content cleared]');
    const { entries, agentCompactions } = (await database.read()).conversation;
    expect(picture(entries)[1]).toBe('tool: c1 → a long text');
    expect(agentCompactions).toMatchObject([{ kind: 'cleared', replacedEntryIds: ['m1/1'] }]);
  });

  it('sends the reasoning of another model as text', async () => {
    database.message('s', 'm1', { ...replied, modelID: 'older' }, [{ type: 'reasoning', text: 'hm' }, text('so')]);
    database.message('s', 'm2', asked, [text('go on')]);
    expect((await context())[0]).toBe('assistant: hm + so');
  });

  it('marks text added by OpenCode as injected', async () => {
    const file = { type: 'file', mime: 'text/plain', url: 'file:///a.txt' };
    const image = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' };
    database.message('s', 'm1', asked, [text('see this'), text('contents of a.txt', { synthetic: true }), file, image]);
    database.message('s', 'm2', asked, [text('Continue', { synthetic: true }), text('unseen', { ignored: true })]);
    expect(await context()).toEqual([
      'user: see this + [image/png]',
      'injected: contents of a.txt',
      'injected: Continue',
    ]);
  });

  it('orders messages by time, then by id', async () => {
    database.message('s', 'b', asked, [text('first')]);
    database.clock = 1_794_000_000_000;
    database.message('s', 'z', asked, [text('of a clock that was behind')]);
    expect(await context()).toEqual(['user: of a clock that was behind', 'user: first']);
  });
});

describe('a compaction by OpenCode', () => {
  const summary = { ...replied, summary: true, parentID: 'm3' };

  function compacted(request: object, reply: object = summary): void {
    database.message('s', 'm1', asked, [text('one')]);
    database.message('s', 'm2', replied, [text('two')]);
    database.message('s', 'm3', asked, [{ type: 'compaction', auto: true, ...request }]);
    database.message('s', 'm4', { ...reply }, [text('a summary')]);
    database.message('s', 'm5', asked, [text('next')]);
  }

  it('replaces all earlier messages', async () => {
    compacted({});
    expect(await context()).toEqual(['injected: What did we do so far?', 'summary: a summary', 'user: next']);
    expect((await database.read()).conversation.agentCompactions).toMatchObject([
      {
        kind: 'summary',
        summaryEntryId: 'm4',
        replacedEntryIds: ['m1', 'm2'],
        trigger: 'automatic',
        tokensBefore: null,
      },
    ]);
  });

  it('sends kept messages after the summary', async () => {
    compacted({ tail_start_id: 'm2' });
    expect((await context()).slice(1)).toEqual(['summary: a summary', 'assistant: two', 'user: next']);
  });

  it('replaces nothing if it failed or is unfinished', async () => {
    compacted({}, { ...summary, error: { name: 'APIError' } });
    expect((await context()).slice(0, 2)).toEqual(['user: one', 'assistant: two']);
  });
});

describe('a reverted OpenCode session', () => {
  it('leaves out the reverted message and later ones', async () => {
    database.message('s', 'm1', asked, [text('one')]);
    database.message('s', 'm2', replied, [text('two'), text('and a half')]);
    database.message('s', 'm3', asked, [text('three')]);
    database.revert('s', { messageID: 'm3' });
    expect(await context()).toEqual(['user: one', 'assistant: two + and a half']);
    database.revert('s', { messageID: 'm2', partID: 'm2/2' });
    expect(await context()).toEqual(['user: one', 'assistant: two']);
    expect((await database.read()).conversation.entries).toHaveLength(3);
  });
});

describe('an OpenCode session', () => {
  it('counts the usage of a reply once, with reasoning as output', async () => {
    const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 30, write: 1 } };
    database.message('s', 'm1', { ...replied, tokens }, [text('so'), { type: 'step-finish', tokens }]);
    const { entries } = (await database.read()).conversation;
    expect(entries.map(({ usage }) => usage)).toEqual([{ input: 10, output: 7, cacheRead: 30, cacheWrite: 1 }]);
  });

  it('links a subagent and the call that started it', async () => {
    database.session('child', { parent: 's', title: 'Look around' });
    database.message('s', 'm1', replied, [tool('c1', { status: 'running', metadata: { sessionId: 'child' } })]);
    database.message('child', 'n1', asked, [text('look')]);
    const child = { callId: 'c1', file: database.address('child'), title: 'Look around' };
    expect((await database.read()).subagents).toEqual([child]);
    expect((await database.read('child')).parent).toEqual({ file: database.address('s'), callId: 'c1' });
  });

  it('counts other parts, and reports broken rows', async () => {
    database.message('s', 'm1', replied, [text('so'), { type: 'hologram' }, '{"type":"te', 'null', { type: 'patch' }]);
    database.message('s', 'm2', { role: 'oracle' }, [text('hm')]);
    const session = await database.read();
    expect(session.otherRecords).toEqual({ hologram: 1, patch: 1, 'message/oracle': 1 });
    expect(session.issues.map(({ message }) => String(message))).toEqual([
      'The data of m1/3 is not a JSON object and was left out',
      'The data of m1/4 is not a JSON object and was left out',
      'The message m2 has an unknown role and was left out',
    ]);
    expect(picture(session.conversation.entries)).toEqual(['assistant: so']);
  });

  it('assigns a reply with a truncated row to no one', async () => {
    database.message('s', 'm1', asked, [text('look')]);
    database.message('s', 'm2', replied, [text('so')]);
    database.run("UPDATE message SET data = substr(data, 1, 20) WHERE id = 'm2'");
    const { issues, conversation, awaitsReply } = await database.read();
    expect([conversation.entries, conversation.agentContext].map(picture)).toEqual([['user: look'], ['user: look']]);
    expect(issues.map(({ message }) => String(message))).toEqual([
      'The data of m2 is not a JSON object and was left out',
    ]);
    expect(awaitsReply).toBe(false);
  });

  it('gives all entries different ids, whatever ids the rows have', async () => {
    database.message('s', 'a', replied, [{ type: 'step-start' }, text('one'), { type: 'step-start' }, text('two')]);
    database.message('s', 'a/2', asked, [text('three')]);
    database.message('s', 'b', replied, [text('four')]);
    database.part('b', 'a', done('c1', 'x', { time: { compacted: 1_795_000_000_500 } }));
    database.part('b', 'c:no-result', done('c2', 'y'));
    database.part('b', 'c', tool('c3', { status: 'running' }));
    database.message('s', 'd', asked, [text('five')]);
    const { entries, agentContext, agentCompactions } = (await database.read()).conversation;
    for (const list of [entries, agentContext]) expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    const [cleared] = agentCompactions.flatMap(({ replacedEntryIds }) => replacedEntryIds);
    expect(picture(entries.filter(({ id }) => id === cleared))).toEqual(['tool: c1 → x']);
  });

  it('gives two calls with one id different ids', async () => {
    database.message('s', 'm1', replied, [done('c1', 'a'), done('c1', 'b')]);
    expect(await context()).toEqual(['assistant: bash c1 + bash c1#m1/2', 'tool: c1 → a', 'tool: c1#m1/2 → b']);
  });
});
