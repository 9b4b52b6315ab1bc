import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';
import { textOf } from '../../../extension/engine/conversation/entry';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture, speakerAndLine, speakers } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';

const state = join(fixtures, 'copilot-cli-1.0.102', 'session-state');
const fileOf = (id: string) => join(state, id, 'events.jsonl');
const compacted = fileOf('dd198c05-81ff-4b86-8036-11283dc5ced1');
const delegating = fileOf('fe6ea37e-be69-4e74-b731-64e49c13f7b4');

async function opened(address: string): Promise<Session> {
  const outcome = await openSession(address, { environment: { home: '/nowhere', variables: {} } });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

describe('a session of Copilot CLI with two compactions', () => {
  const lines = linesOf(compacted);

  it('a session of Copilot CLI with two compactions has its title, and counts each usage once without the cached part', async () => {
    const session = await opened(compacted);
    expect(session).toMatchObject({
      agent: 'copilot-cli',
      id: 'dd198c05-81ff-4b86-8036-11283dc5ced1',
      cwd: '/work/scratch',
      title: 'TOOLS=2 look around',
      model: 'scripted',
      contextWindow: 128_000,
      issues: [],
      awaitsReply: false,
      live: false,
    });
    const usages = session.conversation.entries.flatMap(({ usage }) => usage ?? []);
    expect(usages).toHaveLength(10);
    expect(usages[0]).toEqual({ input: 11935 - 7161, output: 542, cacheRead: 7161, cacheWrite: 0 });
  });

  it('shows the prompts and the summary as one text after a compaction, and lists both', () => {
    const { agentContext, agentCompactions } = build(copilotCli, lines).conversation;
    expect(agentContext.map(({ role, summary, injected }) => [role, summary ?? injected ?? false])).toEqual([
      ['system', false],
      ['user', true],
      ['user', true],
      ['user', false],
      ['assistant', false],
    ]);
    const summary = textOf(agentContext[1]?.parts ?? []);
    expect(summary.match(/(?<=<user_message>\n).*/g)).toEqual([
      'TOOLS=2 look around',
      'TOOLS=1 PARALLEL both at once',
      'TOOLS=1 BADREAD now a missing one',
      'TOOLS=1 after the compaction',
    ]);
    expect(agentCompactions).toMatchObject([
      { kind: 'summary', trigger: 'manual', tokensBefore: 11170, tokensAfter: 10525 },
      { kind: 'summary', trigger: 'manual' },
    ]);
    expect(agentCompactions[0]?.replacedEntryIds).toHaveLength(18);
  });

  it('sends results in the order of their calls, although they are written as they end', () => {
    const { agentContext } = build(copilotCli, lines.slice(0, 35)).conversation;
    const [calls, ...results] = agentContext.slice(-4, -1);
    expect(calls?.parts.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
    expect(results.map(({ origin }) => origin.line)).toEqual([29, 28]);
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('shows a failed call with its message', () => {
    const { entries } = build(copilotCli, lines).conversation;
    const failed = entries.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result' && part.isError));
    expect(failed).toMatchObject([{ name: 'view', text: 'Path does not exist' }]);
  });
});

describe('a session of Copilot CLI with a subagent', () => {
  it('a session of Copilot CLI with a subagent has the subagent as a conversation of its own in the same file', async () => {
    const session = await opened(delegating);
    const address = `${delegating}#16030777-2bf4-4da7-bb63-99af53ee27c6`;
    expect(session.subagents).toEqual([{ callId: 'call_mwtlx8uk00000i', title: 'List files', file: address }]);
    expect(speakers(session.conversation.agentContext)).toEqual({
      system: 1,
      injected: 1,
      user: 1,
      assistant: 2,
      tool: 1,
    });
    const subagent = await opened(address);
    expect(subagent).toMatchObject({
      id: '16030777-2bf4-4da7-bb63-99af53ee27c6',
      title: 'List files',
      file: address,
      parent: { file: delegating, callId: 'call_mwtlx8uk00000i' },
      subagents: [],
    });
    expect(speakers(subagent.conversation.agentContext)).toEqual({
      system: 1,
      injected: 1,
      user: 1,
      assistant: 2,
      tool: 1,
    });
    expect(new Set(subagent.conversation.entries.map(({ origin }) => origin.file))).toEqual(new Set([delegating]));
  });

  it('a session of Copilot CLI with a subagent has no conversation of a subagent that is not there', async () => {
    const outcome = await openSession(`${delegating}#nobody`);
    expect(outcome).toMatchObject({ kind: 'missing' });
  });
});

it('a compaction of Copilot CLI in the middle of a turn keeps what was said while it ran', () => {
  const lines = linesOf(fileOf('0985bb24-c7f7-41aa-a529-60343cfb3bf1'));
  const { agentContext, agentCompactions } = build(copilotCli, lines).conversation;
  expect(agentContext.map(speakerAndLine)).toEqual(['system 3', 'summary 32', 'assistant 27', 'tool 29']);
  expect(agentCompactions.map(({ trigger }) => trigger)).toEqual(['automatic', 'automatic']);
});

it('a context of Copilot CLI that an extension cleared begins with the extension’s text, once', () => {
  const lines = linesOf(fileOf('007938db-4d7f-4ace-a103-ec673036433f'));
  const { agentContext, agentCompactions } = build(copilotCli, lines).conversation;
  expect(picture(agentContext.slice(1))).toEqual([
    'summary: FIRST MESSAGE OF STRATA TOOLS=1',
    expect.stringMatching(/^assistant: .*answer after the clear$/),
  ]);
  expect(agentCompactions).toHaveLength(1);
});
