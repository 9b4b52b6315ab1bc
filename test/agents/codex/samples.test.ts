import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../extension/agents/codex/format/adapter';
import { openSession } from '../../../extension/sessions/open';
import { wholeFile } from '../../builders/whole-file';
import { linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture, speakers, startOf } from '../../sessions/picture';
import { fixtures, sampleFiles } from '../../sessions/samples';
import { nowhere } from '../../sessions/temporary';
import { codexSession } from './records';

const local = sampleFiles('codex-0.169/after-compaction.jsonl', 'codex/after-compaction.*.jsonl');

describe.each(local)('compacted by itself: $name', ({ file }) => {
  const lines = linesOf(file);
  const { conversation, ...session } = codexSession(lines);

  it('describes the session', () => {
    expect(session).toMatchObject({
      id: '01a1ffc8-9d78-7bc3-a0b8-dfd4d8d9b32d',
      cwd: '/home/ada/scratch',
      title: 'List the files TOOLS=2',
      model: 'scripted',
      contextWindow: 190_000,
      awaitsReply: false,
      issues: [],
    });
  });

  it('before its own compaction, Codex sends everything', () => {
    const before = codexSession(lines.slice(0, 80)).conversation;
    expect(before.agentContext).toEqual(before.entries);
    expect(speakers(before.agentContext)).toEqual({ system: 2, injected: 1, user: 3, assistant: 7, tool: 5 });
  });

  it('at its own compaction, Codex keeps the prompts, repeats its instructions and puts a summary at the end', () => {
    const { agentContext, agentCompactions } = codexSession(lines.slice(0, 86)).conversation;
    expect(agentContext.map((entry) => startOf(entry, 24))).toEqual([
      expect.stringMatching(/^system: /),
      'user: List the files TOO',
      'user: Second turn PARALL',
      expect.stringMatching(/^system: /),
      expect.stringMatching(/^injected: /),
      'user: Third turn BIG TOO',
      'summary: Another languag',
    ]);
    expect(agentCompactions).toMatchObject([{ tokensBefore: 16_532, trigger: null, origin: { line: 86 } }]);
    expect(agentCompactions[0]?.replacedEntryIds).toHaveLength(15);
  });

  it('after its own compaction, Codex continues from there', () => {
    expect(speakers(conversation.agentContext)).toEqual({
      system: 2,
      user: 6,
      injected: 1,
      summary: 1,
      assistant: 6,
      tool: 3,
    });
    expect(contextFaults(conversation.agentContext)).toEqual([]);
  });

  it('counts usage once: as many replies have one as requests were made', () => {
    const usages = conversation.entries.flatMap((entry) => entry.usage ?? []);
    expect(usages).toHaveLength(14);
    expect(usages[0]).toEqual({ input: 9482 - 5689, cacheRead: 5689, cacheWrite: 0, output: 401 });
    const total = usages.reduce((sum, { input, cacheRead, output }) => sum + input + cacheRead + output, 0);
    expect(total).toBe(161_503);
  });
});

describe('compacted by its provider', () => {
  const { conversation } = codexSession(linesOf(join(fixtures, 'codex-0.169/remote-compaction.jsonl')));

  it('a list compacted by its provider is shown as unreadable', () => {
    expect(conversation.agentContext.map((entry) => startOf(entry, 20))).toEqual([
      expect.stringMatching(/^system: /),
      expect.stringMatching(/^system: /),
      expect.stringMatching(/^injected: /),
      'user: One BIG TOOLS=',
      'summary: Codex had i',
      'user: Two TOOLS=1',
      'assistant: (I have 0',
      expect.stringMatching(/^tool: /),
      'assistant: (I have 1',
      'user: Three TOOLS=0',
      'assistant: (I have 0',
    ]);
    expect(conversation.agentCompactions).toMatchObject([{ isOpaque: true, tokensBefore: 13_806, tokensAfter: 5995 }]);
  });

  it('gives the usage of the request for the summary to no reply', () => {
    expect(conversation.entries.filter((entry) => entry.usage)).toHaveLength(5);
  });
});

it('shows a picture, a turn that was called off and one whose Codex was killed', () => {
  const { conversation } = codexSession(linesOf(join(fixtures, 'codex-0.169/picture-and-interruptions.jsonl')));
  expect(picture(conversation.agentContext.slice(3, 8)).map((line) => line.slice(0, 72))).toEqual([
    'user: <image name=[Image #1] path="dot.png"> + [image/png] + </image> + ',
    expect.stringMatching(/^assistant: \(I have 0/),
    'user: Be slow SLEEP=5 TOOLS=0',
    expect.stringMatching(/^injected: <turn_aborted>/),
    'user: Be slow again SLEEP=5 TOOLS=0',
  ]);
});

describe('a thread that another one started', () => {
  const folder = join(fixtures, 'codex-0.169/with-subagent');
  const parent = join(folder, 'rollout-2026-11-22T07-08-06-01a20215-65d5-71b3-b100-5a14d93af2e7.jsonl');
  const child = join(folder, 'rollout-2026-11-22T07-08-06-01a20215-669a-7611-9c0c-8f6bdd797ad8.jsonl');

  it('a thread that another one started is found by the call that started it', async () => {
    const outcome = await openSession(parent, { environment: nowhere });
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    expect(outcome.session.subagents).toEqual([
      {
        callId: 'call_mwrhw6mi00001z',
        file: child,
        title: 'SUBWORK TOOLS=1 look at README.md and report the marker',
      },
    ]);
    expect(outcome.session).not.toHaveProperty('parent');
  });

  it('names the one that started it, and is in no list', async () => {
    const outcome = await openSession(child, { environment: nowhere });
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    expect(outcome.session.parent).toEqual({ file: parent, callId: null });
    expect(codex.summarise(wholeFile(linesOf(child)))).toMatchObject({ isUnlisted: true });
    expect(codex.summarise(wholeFile(linesOf(parent)))).not.toHaveProperty('isUnlisted');
  });
});
