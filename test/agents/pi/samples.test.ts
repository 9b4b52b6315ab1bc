import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { linesOf, piSession } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture, speakerAndLine, speakers, startOf } from '../../sessions/picture';
import { longSample, sampleFiles } from '../../sessions/samples';

const before87 = sampleFiles('pi-0.87/before-compaction.jsonl', 'pi/before-compaction.*.jsonl');
const after87 = sampleFiles('pi-0.87/after-compaction.jsonl', 'pi/after-compaction.*.jsonl');
const before73 = sampleFiles('pi-0.73/before-compaction.jsonl', 'pi-0.73.1/before-compaction.*.jsonl');
const after73 = sampleFiles('pi-0.73/after-compaction.jsonl', 'pi-0.73.1/after-compaction.*.jsonl');

describe.each(before87)('0.87 before its compaction: $name', ({ file }) => {
  const session = piSession(linesOf(file));
  const { entries, agentContext } = session.conversation;

  it('sends everything, with the prompt and its tools in front', () => {
    expect(session).toMatchObject({
      agent: 'pi',
      id: '01a1ffc9-b5ca-73aa-b96f-5686c1403116',
      cwd: '/home/ada/scratch',
      title: 'List the files TOOLS=2',
      model: 'scripted',
      issues: [],
      awaitsReply: false,
    });
    expect(agentContext).toEqual(entries);
    expect(speakers(agentContext)).toEqual({ system: 1, user: 4, assistant: 11, tool: 8 });
    expect(agentContext[0]?.parts).toMatchObject([
      { type: 'text' },
      { type: 'tool_definitions', names: ['read', 'bash', 'edit', 'write'] },
    ]);
  });

  it('puts the sections of the prompt together with empty lines between them', () => {
    const sections = [169, 339, 839, 1217, '<cwd>\n/home/ada/scratch\n</cwd>'.length];
    const emptyLines = 2 * (sections.length - 1);
    expect(textOf(agentContext[0]?.parts ?? [])).toHaveLength(
      sections.reduce((sum, length) => sum + length, emptyLines),
    );
  });

  it('takes usage as it is reported', () => {
    expect(entries.find((entry) => entry.role === 'assistant')?.usage).toEqual({
      input: 561,
      output: 105,
      cacheRead: 840,
      cacheWrite: 0,
    });
  });
});

describe.each(after87)('0.87 after its compaction: $name', ({ file }) => {
  const session = piSession(linesOf(file));
  const { agentContext, agentCompactions } = session.conversation;

  it('keeps from the middle of a turn on', () => {
    expect(session.title).toBe('My named session');
    expect(agentContext.map(speakerAndLine)).toEqual([
      'system 4',
      'summary 28',
      'assistant 21',
      'user 22',
      'assistant 23',
      'tool 24',
      'assistant 25',
      'tool 26',
      'assistant 27',
      'user 29',
      'assistant 30',
      'tool 31',
      'assistant 32',
      'user 34',
      'assistant 35',
      'tool 36',
      'assistant 37',
    ]);
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('shows what the compaction replaced: lines 5 to 20', () => {
    expect(agentCompactions).toMatchObject([
      {
        id: '76013721',
        kind: 'summary',
        summaryEntryId: '76013721',
        tokensBefore: 9690,
        tokensAfter: null,
        trigger: null,
      },
    ]);
    const replaced = agentCompactions[0]?.replacedEntryIds ?? [];
    expect([replaced.length, replaced[0], replaced.at(-1)]).toEqual([16, '2293c583', '64b6c089']);
  });
});

describe.each(before73)('0.73 before its compaction: $name', ({ file }) => {
  it('sends everything; the prompt is not in the file', () => {
    const { conversation } = piSession(linesOf(file));
    expect(conversation.agentContext).toEqual(conversation.entries);
    expect(speakers(conversation.agentContext)).toEqual({ user: 4, assistant: 10, tool: 7 });
  });
});

describe.each(after73)('0.73 after its compaction: $name', ({ file }) => {
  const session = piSession(linesOf(file));
  const { agentContext, agentCompactions } = session.conversation;

  it('sends the summary, what was kept, and the shell command a person ran', () => {
    expect(session).toMatchObject({ title: 'Named', awaitsReply: false });
    expect(agentContext.map(speakerAndLine)).toEqual([
      'summary 25',
      'assistant 20',
      'user 21',
      'assistant 22',
      'tool 23',
      'assistant 24',
      'user 26',
      'assistant 27',
      'tool 28',
      'assistant 29',
      'injected 30',
    ]);
    expect(picture(agentContext).at(-1)).toBe('injected: $ echo user-shell\nuser-shell\n');
    expect(agentCompactions[0]).toMatchObject({ tokensBefore: 8668, origin: { line: 25 } });
    expect(agentCompactions[0]?.replacedEntryIds).toHaveLength(16);
  });
});

const v1 = sampleFiles('pi-v1/until-after-first-compaction.jsonl', 'no original of this length');
const wholeV1 = longSample('pi-real/v1-two-compactions.jsonl');

describe.each([...v1, ...wholeV1])('version 1: $name', ({ file }) => {
  const lines = linesOf(file).slice(0, 380);
  const session = piSession(lines);
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('names records by their lines', () => {
    expect(session).toMatchObject({
      id: 'ffae836b-9420-4060-ac13-7745215f90ff',
      cwd: '/Users/dev/workspaces/pi-mono',
      model: 'claude-opus-4-5',
      issues: [],
      awaitsReply: true,
    });
    expect(session.otherRecords).toEqual({ session: 1, thinking_level_change: 4 });
    expect(entries).toHaveLength(375);
    expect(entries[0]).toMatchObject({ id: 'line-2', role: 'user', timestamp: '2025-12-08T22:41:05.306Z' });
  });

  it('keeps from the prompt on that record 293 is, counted from the header', () => {
    expect(agentCompactions).toMatchObject([{ id: 'line-360', tokensBefore: 175004, trigger: null }]);
    expect(startOf(agentContext[0])).toBe('summary: # Context Checkpoint: Coding Ag');
    expect(startOf(agentContext[1], 60)).toBe("user: i reviwed what we have, it's good. continue");
    expect(agentContext.slice(0, 3).map(speakerAndLine)).toEqual(['summary 360', 'user 294', 'assistant 295']);
  });

  it('leaves out replies that were stopped: lines 362, 370 and 374', () => {
    const lastLines = agentContext.slice(-17).map(speakerAndLine);
    expect(lastLines).toEqual([
      'user 361',
      'user 363',
      'assistant 364',
      'tool 365',
      'assistant 366',
      'tool 367',
      'assistant 368',
      'tool 369',
      'user 371',
      'assistant 372',
      'tool 373',
      'user 375',
      'assistant 376',
      'tool 377',
      'tool 378',
      'tool 379',
      'tool 380',
    ]);
    expect(entries.filter((entry) => [362, 370, 374].includes(entry.origin.line))).toHaveLength(3);
    expect(speakers(agentContext)).toEqual({ summary: 1, user: 5, assistant: 38, tool: 40 });
    expect(contextFaults(agentContext)).toEqual([]);
  });
});

describe.each(wholeV1)('version 1, whole: $name', ({ file }) => {
  const session = piSession(linesOf(file));
  const { entries, agentContext, agentCompactions } = session.conversation;

  it('has two compactions, each kept from a prompt on', () => {
    expect(agentCompactions.map(({ id, tokensBefore }) => [id, tokensBefore])).toEqual([
      ['line-360', 175004],
      ['line-629', 185014],
    ]);
    expect(agentContext.slice(0, 2).map(speakerAndLine)).toEqual(['summary 629', 'user 552']);
    expect(startOf(agentContext[1])).toBe('user: can leave it');
    expect(entries).toHaveLength(992);
  });

  it('gives the call that the compaction came between a result, as pi does', () => {
    const at = agentContext.findIndex((entry) => entry.origin.line === 628);
    expect(agentContext.slice(at, at + 3).map(speakerAndLine)).toEqual(['assistant 628', 'tool 628', 'user 630']);
    expect(picture(agentContext)[at + 1]).toMatch(/→ No result provided !$/);
    expect(contextFaults(agentContext)).toEqual([]);
  });

  it('sends shell commands as injected, and says where the rest of a long output is', () => {
    const shell = agentContext.filter((entry) => entry.injected && !entry.summary);
    expect(shell.map(speakerAndLine)).toEqual(['injected 640', 'injected 997', 'injected 1002']);
    expect(textOf(shell[2]?.parts ?? [])).toMatch(/^\$ find \.\n[\s\S]*\n\(cut short; all of it is in .*\)$/);
  });
});
