import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../extension/agents/codex/format/adapter';
import type { ParsedSession } from '../../../extension/sessions/session';
import { temporaryFolders } from '../../sessions/temporary';
import { answered, called, codexSession, meta } from './records';

const folder = temporaryFolders();
const threadId = (index: number) => `01a20214-${index.toString(16).padStart(4, '0')}-7d73-abbf-7c471dbb6e1e`;
const fileOf = (index: number) => `rollout-2026-11-22T07-06-39-${threadId(index)}.jsonl`;

/** A thread in this folder that started others. */
function parentIn(day: string, indices: readonly number[], id = threadId): ParsedSession {
  const spawned = indices.flatMap((index) => [
    called(`c${index}`, 'spawn_agent'),
    answered(`c${index}`, JSON.stringify({ agent_id: id(index), nickname: `n${index}` })),
  ]);
  return { ...codexSession([meta, ...spawned]), file: join(day, 'rollout-2026-11-22T07-06-00-thread.jsonl') };
}

function dayWith(files: readonly string[]): string {
  const day = join(folder(), 'sessions/2026/11/22');
  mkdirSync(day, { recursive: true });
  for (const file of files) writeFileSync(join(day, file), '');
  return day;
}

describe('the threads that a thread started', () => {
  it('the threads that a thread started are found by their files, as soon as these exist', async () => {
    const day = dayWith([fileOf(0)]);
    const parent = parentIn(day, [0, 1]);
    expect(await codex.subagentsOf?.(parent)).toEqual([{ callId: 'c0', file: join(day, fileOf(0)), title: 'n0' }]);
    writeFileSync(join(day, fileOf(1)), '');
    expect((await codex.subagentsOf?.(parent))?.map(({ callId }) => callId)).toEqual(['c0', 'c1']);
  });

  it('the threads that a thread started are not the thread itself', async () => {
    const day = dayWith(['rollout-2026-11-22T07-06-00-thread.jsonl']);
    expect(await codex.subagentsOf?.(parentIn(day, [1], () => 'thread'))).toEqual([]);
  });

  it('the threads that a thread started are none if it started none', async () => {
    expect(await codex.subagentsOf?.(parentIn(dayWith([fileOf(0)]), []))).toEqual([]);
  });
});
