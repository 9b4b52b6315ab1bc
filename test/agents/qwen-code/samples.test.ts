import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { toolCalls } from '../../../extension/engine/conversation/entry';
import { openSession } from '../../../extension/sessions/open';
import type { ParsedSession } from '../../../extension/sessions/session';
import { wholeFile } from '../../builders/whole-file';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { speakers, startOf } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { nowhere, temporaryFolders } from '../../sessions/temporary';

const id = '8f65f7d2-9473-44b9-aa61-d198644549bc';
const project = join(fixtures, 'qwen-code-0.24');
const file = join(project, 'chats', `${id}.jsonl`);
const subagentFile = join(project, 'subagents', id, 'agent-general-purpose-call_mwqv4ri400000p.jsonl');
const lines = linesOf(file);

async function opened(path: string) {
  const outcome = await openSession(path, { environment: nowhere, adapter: qwenCode, now: () => 0 });
  if (outcome.kind !== 'opened') throw new Error(outcome.kind);
  return outcome.session;
}

describe('a real Qwen Code session with a compression', () => {
  const session = build(qwenCode, lines);
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('reads id, folder, title, model and counts', () => {
    expect(session).toMatchObject({
      agent: 'qwen-code',
      id,
      cwd: '/home/ada/scratch',
      title: 'List the files TOOLS=2',
      model: 'scripted',
      issues: [],
      awaitsReply: false,
    });
    expect(session.otherRecords).toEqual({ 'system/attribution_snapshot': 6, 'system/ui_telemetry': 27 });
  });

  it('sends the summary, the files added by Qwen Code and the later messages', () => {
    expect(agentContext.map((entry) => startOf(entry, 36))).toEqual([
      'summary: <state_snapshot><overall_go',
      'assistant: Got it. Thanks for the ad',
      'injected: Recently accessed file (fu',
      'injected: <system-reminder>\n1 backgr',
      'user: Fifth turn after compaction TO',
      'assistant: (I have 0 tool results so',
      'tool: call_mwqv4ysr00000z → Command:',
      'assistant: (I have 1 tool results so',
    ]);
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('records the compression', () => {
    expect(agentCompactions).toMatchObject([
      { kind: 'summary', tokensBefore: 27738, tokensAfter: 18714, trigger: 'manual', origin: { line: 55 } },
    ]);
    expect(agentCompactions[0]?.replacedEntryIds).toHaveLength(
      entries.filter((entry) => entry.origin.line < 55).length,
    );
  });

  it('counts the usage of each reply once', () => {
    const replies = entries.filter((entry) => entry.usage !== undefined);
    expect(replies).toHaveLength(lines.filter((line) => line.includes('"usageMetadata"')).length);
    expect(replies[0]?.usage).toEqual({ input: 7819, output: 321, cacheRead: 11728, cacheWrite: 0 });
  });
});

describe('a real Qwen Code subagent', () => {
  it('links a subagent and the call that started it', async () => {
    const session = await opened(file);
    expect(session.subagents).toEqual([{ callId: 'call_mwqv4ri400000p', file: subagentFile, title: 'List files' }]);
    const calls = session.conversation.entries.flatMap((entry) => toolCalls(entry.parts));
    expect(calls.map((call) => call.callId)).toContain('call_mwqv4ri400000p');
    expect((await opened(subagentFile)).parent).toEqual({ file, callId: 'call_mwqv4ri400000p' });
  });

  it('a real Qwen Code subagent is a separate session that is not listed', async () => {
    const { conversation } = await opened(subagentFile);
    expect(speakers(conversation.agentContext)).toEqual({ user: 1, assistant: 2, tool: 1 });
    expect(qwenCode.summarise(wholeFile(linesOf(subagentFile))).isUnlisted).toBe(true);
    expect(qwenCode.summarise(wholeFile(lines)).isUnlisted).toBeUndefined();
    expect([file, subagentFile].map((path) => qwenCode.mayBeSession(path))).toEqual([true, false]);
  });
});

describe('every prefix of a real Qwen Code session', () => {
  it('loads with a valid context', () => {
    for (let length = 1; length <= lines.length; length += 1) {
      const { conversation } = build(qwenCode, lines.slice(0, length));
      expect(contextFaults(conversation.agentContext)).toEqual([]);
    }
  });

  it('every prefix of a real Qwen Code session is independent of how often the session was built in between', () => {
    fc.assert(
      fc.property(fc.subarray([...lines.keys()]), (looks) => {
        expect(readWithLooks(new Set(looks))).toEqual(build(qwenCode, lines));
      }),
      { numRuns: 10 },
    );
  });
});

function readWithLooks(looks: ReadonlySet<number>): ParsedSession {
  const builder = qwenCode.createBuilder('session.jsonl');
  for (const [index, text] of lines.entries()) {
    builder.accept({ number: index + 1, text });
    if (looks.has(index)) builder.session();
  }
  return builder.session();
}

describe('the folders of Qwen Code sessions', () => {
  const roots = (variables: Record<string, string>) => qwenCode.roots({ home: '/home/ada', variables });

  it('the folders of Qwen Code sessions follow the environment variables', () => {
    expect(roots({})).toEqual([join('/home/ada', '.qwen', 'projects')]);
    expect(roots({ QWEN_HOME: '~/q' })).toEqual([join('/home/ada', 'q', 'projects')]);
    expect(roots({ QWEN_RUNTIME_DIR: '/run' })).toEqual([
      join('/run', 'projects'),
      join('/home/ada', '.qwen', 'projects'),
    ]);
  });
});

describe('a Qwen Code session in use', () => {
  const folder = temporaryFolders();

  it('a Qwen Code session in use is found by the status file of a running process', async () => {
    const home = folder();
    const statuses = join(home, '.qwen', 'sessions');
    mkdirSync(statuses, { recursive: true });
    writeFileSync(join(statuses, `${process.pid}.json`), JSON.stringify({ pid: process.pid, sessionId: 'open' }));
    writeFileSync(join(statuses, '1999999999.json'), JSON.stringify({ pid: 1999999999, sessionId: 'left behind' }));
    expect(await qwenCode.occupancy?.({ home, variables: {} })).toEqual({
      inUse: new Set(['open']),
      left: new Set(['left behind']),
    });
  });
});
