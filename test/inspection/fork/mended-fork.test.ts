import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../extension/agents/claude-code/format/adapter';
import { codex } from '../../../extension/agents/codex/format/adapter';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';
import { pi } from '../../../extension/agents/pi/format/adapter';
import { qwenCode } from '../../../extension/agents/qwen-code/format/adapter';
import { type Entry, readableText, toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import type { LineFormat } from '../../../extension/sessions/adapter';
import type { Session } from '../../../extension/sessions/session';
import { build, linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { rawLineBreaks, tornWrite, zeroBytes } from '../../sessions/damage';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';
import { hash, inspect, words } from './inspect';

const temporary = temporaryFolders();

const sound: { readonly format: LineFormat; readonly fixture: string }[] = [
  { format: claudeCode, fixture: 'claude-code-2.1.330/before-compaction.jsonl' },
  { format: codex, fixture: 'codex-0.169/after-compaction.jsonl' },
  {
    format: copilotCli,
    fixture: 'copilot-cli-1.0.102/session-state/0985bb24-c7f7-41aa-a529-60343cfb3bf1/events.jsonl',
  },
  { format: pi, fixture: 'pi-0.87/before-compaction.jsonl' },
  { format: qwenCode, fixture: 'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl' },
];

interface Mended {
  readonly broken: Session;
  readonly whole: Session;
}

async function mended(fixture: string, text: string): Promise<Mended> {
  const folder = temporary();
  const file = join(folder, 'sessions', basename(dirname(fixture)), basename(fixture));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const before = hash(file);
  const inspection = await inspect(file, folder, () => Date.now() + 3_600_000);
  const fork = await forkSession(inspection, { mends: true });
  expect(hash(file)).toBe(before);
  const forked = await inspect(fork.file, folder);
  expect(contextFaults(forked.session.conversation.agentContext)).toEqual([]);
  expect(words(forked.context)).toContain('TOOLS');
  return { broken: inspection.session, whole: forked.session };
}

function wordsIn(entries: readonly Entry[]): string[] {
  return entries.map(({ parts }) => parts.map(readableText).join('\n'));
}

describe.each(sound)('a mended fork of a broken session of $format.agent', ({ format, fixture }) => {
  const lines = linesOf(join(fixtures, fixture)).filter((line) => line.trim() !== '');
  const text = (left: readonly string[]): string => `${left.join('\n')}\n`;
  const middle = Math.floor(lines.length / 2);
  const { conversation } = build(format, lines);
  const answered = conversation.agentContext.flatMap(({ parts }) => toolResults(parts)).map(({ callId }) => callId);

  it.each([
    ['a torn write', tornWrite(lines, middle, 0.5)],
    ['zero bytes', zeroBytes(lines, middle, middle + 1, 0.4)],
    ['raw line breaks', lines.flatMap((_, index) => rawLineBreaks(lines, index) ?? [])[0]],
  ])('has no issue where the original has %s', async (_what, damaged) => {
    const { broken, whole } = await mended(fixture, damaged?.text ?? '');
    expect(broken.issues.length).toBeGreaterThan(0);
    expect(whole.issues).toEqual([]);
  });

  it('has the record that begins a session, and all that follows it', async () => {
    const { whole } = await mended(fixture, text(lines.slice(1)));
    expect(whole.issues).toEqual([]);
    expect(wordsIn(whole.conversation.agentContext)).toEqual(
      wordsIn(build(format, lines.slice(1)).conversation.agentContext),
    );
  });

  it('continues after a lost record, with everything that was said before it', async () => {
    const { whole } = await mended(fixture, text(lines.filter((_, index) => index !== middle)));
    expect(whole.issues).toEqual([]);
    const [firstWords] = wordsIn(conversation.agentContext.filter(({ role }) => role !== 'system'));
    expect(wordsIn(whole.conversation.agentContext)).toContain(firstWords);
  });

  it('keeps a result without its call as text', async () => {
    const callId = answered[0] ?? '';
    const left = lines.filter(
      (line) =>
        !build(format, [line]).conversation.entries.some(({ parts }) =>
          toolCalls(parts).some((call) => call.callId === callId),
        ),
    );
    const { broken, whole } = await mended(fixture, text(left));
    const [stray] = broken.conversation.entries.filter(({ parts }) =>
      toolResults(parts).some((part) => part.callId === callId),
    );
    const strayText = toolResults(stray?.parts ?? [])
      .map((part) => part.text)
      .join('\n');
    expect(broken.issues.map(({ message }) => String(message))).toContainEqual(
      expect.stringMatching(/^The call of this tool result/),
    );
    expect(whole.issues).toEqual([]);
    const told = whole.conversation.agentContext.find((entry) =>
      wordsIn([entry])[0]?.includes('[The result of a tool call'),
    );
    expect(told).toMatchObject({ role: 'user', injected: true });
    expect(wordsIn(told === undefined ? [] : [told])[0]).toContain(strayText);
  });
});
