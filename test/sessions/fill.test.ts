import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../extension/agents/claude-code/format/adapter';
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
      const { title, branch, fill } = format.summarise(ends.head, ends.tail);
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
