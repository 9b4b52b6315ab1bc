import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import type { Inspection } from '../../../extension/inspection/inspection';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';
import { compact, copyOf, hash, inspect, words } from './inspect';

const temporary = temporaryFolders();

const forkable = [
  'pi-0.87/before-compaction.jsonl',
  'pi-0.87/after-compaction.jsonl',
  'claude-code-2.1.330/before-compaction.jsonl',
  'claude-code-2.1.330/after-compaction.jsonl',
  'codex-0.169/after-compaction.jsonl',
  'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
  'copilot-cli-1.0.102/session-state/dd198c05-81ff-4b86-8036-11283dc5ced1/events.jsonl',
];

/** Shares of the file at which Strata compacts the session, tried in this order. */
const shares = [0.5, 0.65, 0.8];

/** The session of a fixture that Strata compacted when the file had only a part of its lines. */
async function compactedMidway(fixture: string): Promise<{ inspection: Inspection; file: string; folder: string }> {
  const folder = temporary();
  const file = copyOf(fixture, folder);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  for (const share of shares) {
    writeFileSync(file, `${lines.slice(0, Math.ceil(lines.length * share)).join('\n')}\n`);
    try {
      await compact(await inspect(file, folder));
      break;
    } catch (error) {
      if (share === shares.at(-1)) throw error;
    }
  }
  copyFileSync(join(fixtures, fixture), file);
  return { inspection: await inspect(file, folder), file, folder };
}

function isBetweenSteps({ conversation }: Inspection): boolean {
  const calls = conversation.agentContext.flatMap(({ parts }) => toolCalls(parts));
  const answered = new Set(
    conversation.agentContext.flatMap(({ parts }) => toolResults(parts).map(({ callId }) => callId)),
  );
  return calls.every(({ callId }) => answered.has(callId));
}

describe.each(forkable)('a fork from any moment of %s', (fixture) => {
  it('has exactly the context of that moment, with its blocks', { timeout: 120_000 }, async () => {
    const { inspection, file, folder } = await compactedMidway(fixture);
    const before = hash(file);
    const { list } = inspection.moments;
    const refused: string[] = [];
    let withBlocks = 0;
    for (const moment of list) {
      const past = inspection.at(moment);
      expect(isBetweenSteps(past)).toBe(true);
      try {
        const fork = await forkSession(past);
        const forked = await inspect(fork.file, folder);
        expect(words(forked.context), `moment ${moment.step}.${moment.records}`).toBe(words(past.context));
        if (past.context.messages.some(({ block }) => block)) withBlocks += 1;
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'OperationRefused') throw error;
        refused.push(`${moment.step}.${moment.records}: ${error.message}`);
      }
    }
    expect(hash(file)).toBe(before);
    expect(refused).toEqual([]);
    expect(withBlocks).toBeGreaterThan(0);
  });
});
