import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextFaults } from '../../sessions/context-faults';
import { speakers, startOf } from '../../sessions/picture';
import { fixtures, moreSamples } from '../../sessions/samples';
import { opened } from './database';

const parent = 'ses_e0034d87bffeHAlz23S92ON1yY';
const child = 'ses_e002e0a55ffe0HDrpffytpBT0u';
const file = join(fixtures, 'opencode-1.18.33', 'opencode.db');

describe('an OpenCode 1.18.33 session after two compactions', () => {
  it('sends the newest summary and later messages', async () => {
    const session = await opened(`${file}#${parent}`);
    const { agentContext, agentCompactions, entries } = session.conversation;
    expect(session).toMatchObject({ agent: 'opencode', cwd: '/home/ada/scratch', model: 'scripted', issues: [] });
    expect(agentContext.slice(0, 3).map((entry) => startOf(entry))).toEqual([
      'injected: What did we do so far?',
      'summary: <summary>\n## Goal\nUnderstand th',
      'user: "Sixth turn after compaction TOOLS',
    ]);
    expect(speakers(agentContext)).toEqual({ injected: 1, summary: 1, user: 2, assistant: 4, tool: 2 });
    expect(contextFaults(agentContext)).toEqual([]);
    expect(agentCompactions.map(({ kind, trigger }) => [kind, trigger])).toContainEqual(['summary', 'manual']);
    expect(entries.find(({ role }) => role === 'assistant')?.usage).toEqual({
      input: 3061,
      output: 174,
      cacheRead: 4591,
      cacheWrite: 0,
    });
  });

  it('links the subagent and its call in both directions', async () => {
    const call = 'call_mwqva9ga000009';
    const title = 'List files (@general subagent)';
    expect((await opened(`${file}#${parent}`)).subagents).toEqual([{ callId: call, file: `${file}#${child}`, title }]);
    const session = await opened(`${file}#${child}`);
    expect(session.parent).toEqual({ file: `${file}#${parent}`, callId: call });
    expect(speakers(session.conversation.agentContext)).toEqual({ user: 1, assistant: 2, tool: 1 });
  });
});

const withLog = join(moreSamples ?? '', 'opencode', 'before', 'opencode.db');

describe.runIf(moreSamples !== undefined && existsSync(withLog))('an OpenCode database with a write-ahead log', () => {
  it('reads rows that are only in the write-ahead log', async () => {
    const { entries } = (await opened(`${withLog}#${parent}`)).conversation;
    expect(speakers(entries)).toEqual({ user: 4, assistant: 10, tool: 7 });
  });
});
