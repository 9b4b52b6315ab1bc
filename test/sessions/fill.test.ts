import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../extension/agents/claude-code/format/adapter';
import { pi } from '../../extension/agents/pi/format/adapter';
import { headAndTail } from '../../extension/platform/files/head-and-tail';
import { SessionCatalogue } from '../../extension/sessions/catalogue/catalogue';
import { openSession } from '../../extension/sessions/open';
import { fillOf } from '../../extension/sessions/records/outline';
import { chained, compacted, type Row, replied, said, text } from '../agents/claude-code/rows';
import { everySample } from './samples';
import { temporaryFolders } from './temporary';

const newFolder = temporaryFolders();

/** Tests that a list shows the same of a session as the opened session. */

describe('the outline of every sample', () => {
  for (const { name, file, format } of everySample()) {
    it(`the outline has the title, the branch and the fill level of the opened session: ${name}`, async () => {
      expect(existsSync(file)).toBe(true);
      const ends = await headAndTail(file);
      const opened = await openSession(file);
      if (ends.kind !== 'ends' || opened.kind !== 'opened') throw new Error(`${name} could not be read.`);
      const { title, branch, fill } = format.summarise(ends);
      const { session } = opened;
      expect({ title, branch, fill: fill ?? null }).toEqual({
        ...{ title: session.title, branch: session.branch },
        fill: fillOf(session),
      });
    });
  }
});

it('the outline has the window that a compaction in the middle of a long session shows', async () => {
  const model = { model: 'claude-opus-4-6', usage: { input_tokens: 120_000, output_tokens: 0 } };
  const reply = (uuid: string) => {
    const row = replied(uuid, [text('x'.repeat(2000))]);
    return { ...row, message: { ...(row.message as Row), ...model } };
  };
  const turns = (name: string) =>
    Array.from({ length: 60 }, (_, at) => [said(`${name}-q${at}`, 'go on'), reply(`${name}-a${at}`)]).flat();
  const summary = said('s', 'What happened so far', { isCompactSummary: true });
  const rows = [
    ...turns('old'),
    compacted('c', 'old-a59', { trigger: 'auto', preTokens: 167_389 }),
    summary,
    ...turns('new'),
  ];
  const home = newFolder();
  const file = join(home, '.claude/projects/-work/session.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    chained(...rows)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );

  const opened = await openSession(file);
  if (opened.kind !== 'opened') throw new Error('It could not be read.');
  const { sessions } = await new SessionCatalogue({ home, variables: {} }, { adapters: [claudeCode] }).scan();
  expect(sessions.map(({ fill }) => fill)).toEqual([{ tokens: 120_000, window: 200_000 }]);
  expect(sessions[0]?.fill).toEqual(fillOf(opened.session));
});

describe('a session of pi whose newest records are long', () => {
  const usage = (input: number) => ({ input, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens: input + 100 });
  const reply = (callId: string, input: number) => ({
    role: 'assistant',
    content: [{ type: 'toolCall', id: callId, name: 'read', arguments: { path: 'a.ts' } }],
    ...{ api: 'x', provider: 'anthropic', model: 'claude-opus-4-5', usage: usage(input), stopReason: 'toolUse' },
  });
  const result = (toolCallId: string, characters: number) => ({
    ...{ role: 'toolResult', toolCallId, toolName: 'read', isError: false },
    content: [{ type: 'text', text: 'x y '.repeat(characters / 4) }],
  });

  async function listedFill(...messages: readonly object[]) {
    const home = newFolder();
    const file = join(home, '.pi/agent/sessions/--work--/one.jsonl');
    mkdirSync(dirname(file), { recursive: true });
    const timestamp = '2026-11-20T10:00:00.000Z';
    const user = { role: 'user', content: [{ type: 'text', text: 'Read it all.' }] };
    const records = [
      { type: 'session', id: 'one', timestamp, cwd: '/work', provider: 'anthropic', modelId: 'claude-opus-4-5' },
      ...[user, ...messages].map((message) => ({ type: 'message', timestamp, message })),
    ];
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { sessions } = await new SessionCatalogue({ home, variables: {} }, { adapters: [pi] }).scan();
    return sessions.map(({ title, fill }) => [title, fill?.tokens]);
  }

  const early = [reply('a', 1_000), result('a', 60_000), reply('b', 20_000), result('b', 60_000)];

  it.each([100_000, 2_000_000])(
    'the list shows the newest fill level before a last record of %i characters',
    async (characters) => {
      expect(await listedFill(...early, reply('c', 40_000), result('c', characters))).toEqual([
        ['Read it all.', 40_100],
      ]);
    },
  );

  it('the list shows the newest fill level before many results without one', async () => {
    const results = Array.from({ length: 5 }, () => result('c', 40_000));
    expect(await listedFill(...early, reply('c', 40_000), ...results)).toEqual([['Read it all.', 40_100]]);
  });

  it('the list shows a newest fill level that equals the first one', async () => {
    const results = Array.from({ length: 40 }, () => result('a', 60_000));
    expect(await listedFill(reply('a', 1_000), ...results, reply('b', 1_000))).toEqual([['Read it all.', 1_100]]);
  });

  it('the list shows no fill level if it would be an old one', async () => {
    const results = Array.from({ length: 40 }, () => result('c', 60_000));
    expect(await listedFill(...early, reply('c', 40_000), ...results)).toEqual([['Read it all.', undefined]]);
  });
});
