import { describe, expect, it } from 'vitest';
import { type Folders, SubagentSearch } from '../../../extension/agents/codex/format/subagents';
import type { ParsedSession } from '../../../extension/sessions/session';
import { answered, called, codexSession, meta } from './records';

/** An hour apart, so that every one begins with the same day. */
const count = 300;
const threadId = (index: number) => `01a20214-${index.toString(16).padStart(4, '0')}-7d73-abbf-7c471dbb6e1e`;
const day = '/c/sessions/2026/11/22';
const fileOf = (index: number) => `rollout-2026-11-22T07-06-39-${threadId(index)}.jsonl`;

function parentOf(indices: readonly number[], id = threadId): ParsedSession {
  const spawned = indices.flatMap((index) => [
    called(`c${index}`, 'spawn_agent'),
    answered(`c${index}`, JSON.stringify({ agent_id: id(index), nickname: `n${index}` })),
  ]);
  return { ...codexSession([meta, ...spawned]), file: `${day}/rollout-2026-11-22T07-06-00-thread.jsonl` };
}

class CountedFolders implements Folders {
  readonly read: string[] = [];
  files = Array.from({ length: count }, (_, index) => fileOf(index));
  time = 0;
  clock = 1_000_000;

  async changed(folder: string): Promise<number | null> {
    return folder === day ? this.time : null;
  }
  async names(folder: string): Promise<readonly string[]> {
    this.read.push(folder);
    return folder === day ? this.files : [];
  }
  now(): number {
    return this.clock;
  }
}

const all = Array.from({ length: count }, (_, index) => index);

describe('the threads that a thread started', () => {
  it('the threads that a thread started are found with one look into each folder', async () => {
    const folders = new CountedFolders();
    const found = await new SubagentSearch(folders).of(parentOf(all));
    expect(found).toHaveLength(count);
    expect(found[7]).toEqual({ callId: 'c7', file: `${day}/${fileOf(7)}`, title: 'n7' });
    expect(folders.read).toEqual([...new Set(folders.read)]);
    expect(folders.read.length).toBeLessThan(6);
  });

  it('the threads that a thread started are not looked for again while nothing changed', async () => {
    const folders = new CountedFolders();
    const search = new SubagentSearch(folders);
    const parent = parentOf(all);
    const first = await search.of(parent);
    const looks = folders.read.length;
    expect(await search.of(parent)).toBe(first);
    expect(folders.read).toHaveLength(looks);
  });

  it('the threads that a thread started are looked for again once a file was added, and while one may be added that the time does not tell', async () => {
    const folders = new CountedFolders();
    const search = new SubagentSearch(folders);
    const parent = parentOf([0, 1]);
    folders.files = [fileOf(0)];
    folders.time = folders.clock - 10;
    expect(await search.of(parent)).toHaveLength(1);
    folders.files = [fileOf(0), fileOf(1)];
    expect(await search.of(parent)).toHaveLength(2);
    folders.clock += 60_000;
    await search.of(parent);
    folders.files = [fileOf(0)];
    expect(await search.of(parent)).toHaveLength(2);
    folders.time += 5000;
    expect(await search.of(parent)).toHaveLength(1);
  });

  it('the threads that a thread started are not the thread itself', async () => {
    const folders = new CountedFolders();
    folders.files = ['rollout-2026-11-22T07-06-00-thread.jsonl'];
    expect(await new SubagentSearch(folders).of(parentOf([1], () => 'thread'))).toEqual([]);
  });

  it('the threads that a thread started are nowhere to be looked for where none was started', async () => {
    const folders = new CountedFolders();
    expect(await new SubagentSearch(folders).of(parentOf([]))).toEqual([]);
    expect(folders.read).toEqual([]);
  });
});
