import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../extension/agents/vscode-chat/format/adapter';
import { toolCalls, toolResults } from '../../extension/engine/conversation/entry';
import type { LineFormat } from '../../extension/sessions/adapter';
import { lineFormats } from '../../extension/sessions/adapters';
import { openSession } from '../../extension/sessions/open';
import type { Session } from '../../extension/sessions/session';
import { strata } from '../../extension/sessions/strata/adapter';
import { build, linesOf } from './build';
import { conversationOf, type Damaged, gluedRecords, rawLineBreaks, readText, tornWrite, zeroBytes } from './damage';
import { fixtures, lineSamplesIn } from './samples';
import { call, header, replied, result, said } from './strata/records';
import { nowhere, temporaryFolders } from './temporary';

interface SoundFile {
  readonly name: string;
  readonly format: LineFormat;
  readonly lines: readonly string[];
}

const strataLines = [
  header,
  said('q1', null, 'look at it\nand mend it'),
  replied('a1', 'q1', 'I look.', call('c1')),
  result('t1', 'a1', 'c1', 'one\ntwo'),
  replied('a2', 't1', 'It is mended.'),
  said('q2', 'a2', 'thanks'),
  replied('a3', 'q2', 'Any time.'),
].map((record) => JSON.stringify(record));

/** Real sessions of every agent that writes lines. */
const soundFiles: SoundFile[] = [
  ...lineSamplesIn(fixtures)
    .filter(({ name }) => !name.includes('subagent'))
    .map(({ name, file, format }) => ({ name, format, lines: recordLines(file) })),
  ...['first-answer', 'tools-and-endings'].map((name) => ({
    name: `vscode-chat/${name}`,
    format: vscodeChat,
    lines: recordLines(join(fixtures, 'vscode-chat', `${name}.jsonl`)),
  })),
  { name: 'strata', format: strata, lines: strataLines },
];

function recordLines(file: string): string[] {
  return linesOf(file).filter((line) => line.trim() !== '');
}

/** Number of places of each damage in each fixture, from its beginning to its end. Each agent has several fixtures. */
const places = 10;
const runs = { numRuns: places };

function expectToBeRead({ format }: SoundFile, { text, readable, line }: Damaged): void {
  const { session, faults } = readText(format, text);
  expect(conversationOf(session)).toEqual(conversationOf(build(format, readable)));
  const issues = [...session.issues, ...faults].map((issue) => issue.line);
  expect(issues).toContain(line);
}

function areParallelResults(lines: readonly string[]): boolean {
  return lines.every((line) => line.includes('"tool_result"'));
}

describe.each(soundFiles)('a broken file of $name', (file) => {
  const { lines, format } = file;
  const index = fc.nat({ max: lines.length - 2 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('a broken file is read around a torn write that a whole record follows on the same line', () => {
    fc.assert(
      fc.property(index, share, (torn, at) => {
        // A log of changes without its first record has nothing to change.
        fc.pre(torn > 0);
        expectToBeRead(file, tornWrite(lines, torn, at));
      }),
      runs,
    );
  });

  it('a broken file is read whole if two records are on one line', () => {
    fc.assert(
      fc.property(index, (first) => {
        // Claude Code sends parallel results in the order of their lines.
        fc.pre(!areParallelResults(lines.slice(first, first + 2)));
        expectToBeRead(file, gluedRecords(lines, first));
      }),
      runs,
    );
  });

  it('a broken file is read whole if a text has raw line breaks', () => {
    const broken = lines.flatMap((_, at) => rawLineBreaks(lines, at) ?? []);
    const apart = Math.ceil(broken.length / places);
    for (const damaged of broken.filter((_, at) => at % apart === 0)) expectToBeRead(file, damaged);
    expect(broken.length > 0 || format.agent === 'vscode-chat').toBe(true);
  });

  it('a broken file is read around a hole of zero bytes', () => {
    fc.assert(
      fc.property(index, fc.nat({ max: 3 }), share, (first, more, at) => {
        fc.pre(first > 0);
        expectToBeRead(file, zeroBytes(lines, first, Math.min(lines.length - 1, first + more), at));
      }),
      runs,
    );
  });

  const callId = firstAnsweredCall(file);
  it.runIf(callId !== null)('names the line of a result whose call is nowhere', () => {
    const left = lines.filter((line) => !hasCall(format, line, callId));
    const { issues, conversation } = build(format, left);
    const stray = issues.filter(({ message }) => String(message).startsWith('The call of this tool result'));
    expect(stray.length).toBeGreaterThan(0);
    for (const { line } of stray) expect(left[line - 1]).toContain(callId);
    expect(
      conversation.agentContext.flatMap(({ parts }) => toolResults(parts)).map((part) => part.callId),
    ).not.toContain(callId);
  });

  it.runIf(format !== vscodeChat)(
    'is recognised without its first record, and says so if that names the session',
    () => {
      const rest = lines.slice(1);
      expect(lineFormats.filter(({ recognises }) => recognises(rest.slice(0, 50)))).toEqual([format]);
      const { id, issues } = build(format, rest);
      // A program that stores only messages writes no header for pi.
      const isLost = id !== build(format, lines).id && !rest[0]?.startsWith('{"type":"message"');
      const messages = issues.map(({ message }) => String(message));
      expect(messages.some((message) => message.includes('first record of the session'))).toBe(isLost);
    },
  );
});

function firstAnsweredCall({ format, lines }: SoundFile): string | null {
  const { entries, agentContext } = build(format, lines).conversation;
  const sent = new Set(agentContext.flatMap(({ parts }) => toolResults(parts)).map((part) => part.callId));
  const calls = entries.flatMap(({ parts }) => toolCalls(parts)).map((part) => part.callId);
  return calls.find((callId) => sent.has(callId) && remains(format, lines, callId)) ?? null;
}

/** Whether the result of a call has a record of its own. */
function remains(format: LineFormat, lines: readonly string[], callId: string): boolean {
  const left = lines.filter((line) => line.includes(callId) && !hasCall(format, line, callId));
  return build(format, left).conversation.entries.some(({ role }) => role === 'tool');
}

function hasCall(format: LineFormat, line: string, callId: string | null): boolean {
  if (callId === null || !line.includes(callId)) return false;
  return build(format, [line]).conversation.entries.some(({ parts }) =>
    toolCalls(parts).some((part) => part.callId === callId),
  );
}

describe('a broken file on disk', () => {
  const temporary = temporaryFolders();

  async function opened(content: string, name = 'session.jsonl'): Promise<Session> {
    const file = join(temporary(), name);
    writeFileSync(file, content);
    const outcome = await openSession(file, { environment: nowhere });
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    return outcome.session;
  }

  const told = ({ issues }: Session): string[] => issues.map(({ line, message }) => `${line}: ${message}`);

  it.each(soundFiles)('opens with zero bytes in place of its second record: $name', async ({ lines, format }) => {
    const [first = '', lost = '', ...rest] = lines;
    const session = await opened(`${first}\n${'\0'.repeat(lost.length + 1)}${rest.join('\n')}\n`);
    expect(session.agent).toBe(format.agent);
    expect(conversationOf(session)).toEqual(conversationOf(build(format, [first, ...rest])));
    expect(told(session)).toContain(`2: This line has ${lost.length + 1} zero bytes; what is around them was read`);
  });

  it.each(soundFiles)(
    'opens with its last record behind a torn write, without a line break: $name',
    async ({ lines, format }) => {
      const last = lines.at(-1) ?? '';
      const session = await opened(`${lines.slice(0, -1).join('\n')}\n${lines[1]?.slice(0, 20)}${last}`);
      expect(conversationOf(session)).toEqual(conversationOf(build(format, lines)));
      expect(told(session)).toContain(`${lines.length}: A record was cut off in this line; its remains were left out`);
    },
  );

  it('opens with all lines of a record whose text the file does not end', async () => {
    const session = await opened(`${strataLines.slice(0, 3).join('\n')}\n{"type":"entry","entry":{"text":"no\nend\n`);
    const unreadable = expect.stringMatching(/^[45]: This line is not valid JSON/);
    expect(told(session)).toEqual([unreadable, unreadable]);
  });

  it('names a session whose first record was lost by its place', async () => {
    const folder = temporary();
    const fixture = soundFiles.find(({ format }) => format.agent === 'copilot-cli');
    const file = join(folder, 'events.jsonl');
    writeFileSync(file, fixture?.lines.slice(1, 6).join('\n') ?? '');
    const outcome = await openSession(file, { environment: nowhere });
    expect(outcome.kind === 'opened' && outcome.session).toMatchObject({ agent: 'copilot-cli', id: basename(folder) });
    expect(outcome.kind === 'opened' && told(outcome.session)[0]).toMatch(/^1: The first record of the session/);
  });
});
