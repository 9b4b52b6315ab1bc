import { describe, expect, it } from 'vitest';
import { type Entry, textOf, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { claudeSession, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { speakerAndLine, speakers, startOf } from '../../sessions/picture';
import { sampleFiles } from '../../sessions/samples';

const before = sampleFiles('claude-code-2.1.330/before-compaction.jsonl', 'claude-code/before-compaction.*.jsonl');
const after = sampleFiles('claude-code-2.1.330/after-compaction.jsonl', 'claude-code/after-compaction.*.jsonl');
const subagent = sampleFiles(
  'claude-code-2.1.330/subagents/agent-a2ec853d901461fb5.jsonl',
  'claude-code/*/subagents/*.jsonl',
);
const older = sampleFiles('claude-code-2.1.14/auto-compaction.jsonl', 'claude-code-real/2.1-auto-compaction.jsonl');

describe.each(before)('2.1.330 before its compaction: $name', ({ file }) => {
  const session = claudeSession(linesOf(file));
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('names its session', () => {
    expect(session).toMatchObject({
      agent: 'claude-code',
      id: '7800e132-8dd2-4ab7-b45b-0ba566a8975e',
      cwd: '/home/ada/scratch',
      title: 'List the files TOOLS=2',
      model: 'claude-opus-5-5',
      issues: [],
      awaitsReply: false,
    });
  });

  it('holds four prompts, ten replies and six results', () => {
    expect(speakers(entries)).toEqual({ system: 8, injected: 3, user: 4, assistant: 10, tool: 6 });
    expect(
      entries.filter((entry) => entry.role === 'user' && !entry.injected).map((entry) => textOf(entry.parts)),
    ).toEqual([
      'List the files TOOLS=2',
      'Second turn PARALLEL TOOLS=2 look again',
      'Third turn SUBAGENT TOOLS=1 delegate',
      'Fourth turn BIG BADREAD TOOLS=1 explain',
    ]);
  });

  it('sends all of it, with the prompt and its twelve tools in front', () => {
    expect(speakers(agentContext)).toEqual(speakers(entries));
    expect(agentCompactions).toEqual([]);
    const [prompt] = agentContext;
    expect(prompt?.parts.map((part) => part.type)).toEqual(['text', 'text', 'tool_definitions']);
    expect(prompt?.parts[2]).toMatchObject({ names: expect.arrayContaining(['Agent', 'Bash', 'Read']) });
    expect(prompt?.parts[2]).toHaveProperty('names.length', 12);
    expect(prompt?.origin.line).toBe(17);
  });

  it('takes the rows of one reply together and counts its usage once', () => {
    const [first] = entries.filter((entry) => entry.role === 'assistant');
    expect(first?.parts.map((part) => part.type)).toEqual(['reasoning', 'text', 'tool_call']);
    expect(first?.id).toBe('4fa440de-cd0c-4c69-a912-d670280ae66f');
    expect(first?.origin.line).toBe(22);
    expect(first?.usage).toEqual({ input: 4842, output: 481, cacheRead: 7412, cacheWrite: 100 });
  });

  it('puts parallel results after their calls, in the order of the file', () => {
    const reply = agentContext.findIndex((entry) => toolCalls(entry.parts).length === 2);
    expect(agentContext.slice(reply, reply + 3).flatMap(callIds)).toEqual([
      'toolu_mwqv00by000027',
      'toolu_mwqv00by000028',
      'toolu_mwqv00by000028',
      'toolu_mwqv00by000027',
    ]);
  });

  it('shows a notification as injected', () => {
    const notification = entries.find((entry) => entry.origin.line === 74);
    expect(notification).toMatchObject({ role: 'user', injected: true });
    expect(startOf(notification)).toBe('injected: <task-notification>\n<task-id>a');
  });

  it('counts what it does not show', () => {
    expect(session.otherRecords).toEqual({
      'queue-operation': 10,
      'atis-latch': 6,
      'attachment/prompt_snapshot': 2,
      'last-prompt': 7,
      'api-request-blob': 3,
      'api-request': 10,
      'tools-used': 4,
      'cost-state': 4,
      mode: 2,
    });
  });
});

describe.each(after)('2.1.330 after its compaction: $name', ({ file }) => {
  const session = claudeSession(linesOf(file));
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('shows one compaction by hand', () => {
    expect(agentCompactions).toHaveLength(1);
    expect(agentCompactions[0]).toMatchObject({
      id: '0b85578a-3e27-4cc0-a937-541a4c58f42a',
      kind: 'summary',
      trigger: 'manual',
      tokensBefore: 23919,
      tokensAfter: 7426,
      summaryEntryId: 'd53567d6-69fa-4c32-8640-223af92d74b9',
      origin: { line: 101 },
    });
  });

  it('replaced everything but the prompt and the last reply', () => {
    const replaced = new Set(agentCompactions[0]?.replacedEntryIds);
    const kept = entries.filter((entry) => entry.origin.line < 101 && !replaced.has(entry.id));
    expect(kept.map((entry) => startOf(entry, 24))).toEqual(['system: You are a Claude', 'assistant: (I have 1 too']);
    expect(replaced.size).toBe(29);
  });

  it('sends the summary, the reply it kept, what was attached, and the turns since', () => {
    expect(agentContext.map(speakerAndLine)).toEqual([
      'system 17',
      'summary 102',
      'assistant 90',
      // Attachments are sent before the texts that they precede in the file, and notes of the system after them.
      'injected 106',
      'injected 121',
      'injected 123',
      'injected 103',
      'injected 104',
      'injected 105',
      'user 119',
      'system 107',
      'system 108',
      'system 109',
      'system 110',
      'system 111',
      'system 120',
      'system 122',
      'assistant 133',
      'tool 136',
      'assistant 142',
      'user 148',
      'assistant 150',
      'tool 153',
      'assistant 155',
    ]);
    expect(contextFaults(agentContext)).toEqual([]);
  });
});

describe.each(subagent)('a subagent: $name', ({ file }) => {
  const session = claudeSession(linesOf(file));

  it('a subagent is a session of its own', () => {
    expect(session).toMatchObject({ id: 'a2ec853d901461fb5', issues: [] });
    expect(session.title).toBe('SUBWORK TOOLS=1 look at README.md and report the marker');
    expect(speakers(session.conversation.agentContext)).toEqual({
      system: 8,
      injected: 2,
      user: 1,
      assistant: 2,
      tool: 1,
    });
  });
});

describe.each(older)('2.1.14, from the middle of a session: $name', ({ file }) => {
  const session = claudeSession(linesOf(file));
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('says that its beginning is not there, and loads', () => {
    expect(session.issues.map((issue) => [issue.line, String(issue.message)])).toEqual([
      [1, 'The session began before this row; the rows before it are not in this file'],
    ]);
    expect(session).toMatchObject({
      id: '839b35f7-4dbd-4d93-9772-3c272cc87caa',
      cwd: '/Users/dev/Work/entire/devenv/cli',
      model: 'claude-sonnet-4-5-20250929',
      title: "let's go back to current code, I did another try and now I have multiple sessio…",
    });
    expect(speakers(entries)).toEqual({ user: 9, assistant: 49, tool: 60, summary: 1 });
  });

  it('shows cleared results, and a summary', () => {
    expect(
      agentCompactions.map(({ kind, trigger, tokensBefore, tokensAfter, origin }) => [
        kind,
        trigger,
        tokensBefore,
        tokensAfter,
        origin.line,
      ]),
    ).toEqual([
      ['cleared', 'automatic', 60888, 39797, 33],
      ['summary', 'automatic', 155068, null, 155],
    ]);
    // Everything that was cleared is before the file's first row; the summary replaced everything that is in the file.
    expect(agentCompactions.map((compaction) => compaction.replacedEntryIds.length)).toEqual([0, 81]);
  });

  it('sends the summary and the five turns since', () => {
    expect(speakers(agentContext)).toEqual({ summary: 1, user: 4, assistant: 19, tool: 14 });
    expect(startOf(agentContext[0], 60)).toBe('summary: This session is being continued from a previous con');
    expect(startOf(agentContext.at(-2))).toBe("user: no, then it's good");
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('loses none of the parallel results that its rows scatter over branches', () => {
    const calls = entries.flatMap((entry) => toolCalls(entry.parts)).map((part) => part.callId);
    const results = entries.flatMap((entry) => toolResults(entry.parts)).map((part) => part.callId);
    expect(calls).toHaveLength(60);
    expect([...results].sort()).toEqual([...calls].sort());
  });
});

function callIds(entry: Entry): string[] {
  return [...toolCalls(entry.parts), ...toolResults(entry.parts)].map((part) => part.callId);
}
