import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fork } from '../../../extension/agents/codex/fork/fork';
import { codex, threadsIn } from '../../../extension/agents/codex/format/adapter';
import { CodexBuilder } from '../../../extension/agents/codex/format/builder';
import { rolloutsBeside } from '../../../extension/agents/codex/format/rollouts';
import { ForkRefused } from '../../../extension/sessions/fork/fork-format';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { inEnglish } from '../../builders/in-english';
import { picture } from '../../sessions/picture';
import { nowhere, temporaryFolders } from '../../sessions/temporary';
import { type CodexRecord, codexSession, meta, record, replied, said } from './records';

const folder = temporaryFolders();

function written(file: string, records: readonly CodexRecord[]): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, records.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function opened(file: string): Promise<Session> {
  const outcome = await openSession(file, { environment: nowhere });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

/** Created on 22 November 2026, according to its first digits. */
const originalId = '01a20214-110e-7d73-abbf-7c471dbb6e1e';
const forkOf = (base: CodexRecord): CodexRecord => record('session_meta', { id: 'fork', history_base: base });

function family(root: string): { original: string; forked: string; shared: readonly CodexRecord[] } {
  const shared = [meta, said('q1', 'one'), replied('a1', 'did one')];
  const original = written(join(root, 'sessions/2026/11/22', `rollout-2026-11-22T07-06-39-${originalId}.jsonl`), [
    ...shared,
    said('q2', 'two'),
  ]);
  const bytes = readFileSync(original, 'utf8').indexOf(JSON.stringify(said('q2', 'two')));
  const forked = written(join(root, 'sessions/2026/12/01/rollout-2026-12-01T00-00-00-fork.jsonl'), [
    forkOf({ thread_id: originalId, end_byte_offset: bytes, end_ordinal_exclusive: 3 }),
    said('q3', 'instead'),
  ]);
  return { original, forked, shared };
}

describe('a fork that Codex made', () => {
  it('a fork that Codex made begins with what its original said until then, from the original file', async () => {
    const { original, forked } = family(folder());
    const { id, issues, conversation } = await opened(forked);
    expect({ id, issues }).toEqual({ id: 'fork', issues: [] });
    expect(picture(conversation.agentContext)).toEqual(['user: one', 'assistant: did one', 'user: instead']);
    expect(conversation.entries.map(({ origin }) => [origin.file, origin.line])).toEqual([
      [original, 2],
      [original, 3],
      [forked, 2],
    ]);
    expect(conversation).not.toHaveProperty('beginsMidway');
  });

  it('a fork that Codex made says so if its original is gone', () => {
    const { conversation, issues } = codexSession([
      forkOf({ thread_id: originalId, end_byte_offset: 9 }),
      said('q', 'x'),
    ]);
    expect(conversation.beginsMidway).toBe(true);
    expect(issues.map(inEnglish)).toMatchObject([
      { line: 1, message: expect.stringContaining('original session, which was not found') },
    ]);
  });

  it('a fork that Codex made says so if its originals together are too large to be read', () => {
    const longest = 128 * 1024 * 1024;
    const ancestor = forkOf({ thread_id: 'b', end_byte_offset: longest });
    const asked: string[] = [];
    const builder = new CodexBuilder('fork.jsonl', {
      findThread: () => null,
      findSegment: (id) => id,
      linesBefore: (file) => {
        asked.push(file);
        return [{ number: 1, text: JSON.stringify(ancestor) }];
      },
    });
    builder.accept({ number: 1, text: JSON.stringify(forkOf({ thread_id: 'a', end_byte_offset: 1 })) });
    const { conversation, issues } = builder.session();
    expect(asked).toEqual(['a']);
    expect(conversation.beginsMidway).toBe(true);
    expect(issues.map(inEnglish)).toMatchObject([{ line: 1, message: expect.stringContaining('too large to read') }]);
  });

  it('a Codex fork that refers to itself is read once', async () => {
    const file = join(folder(), 'sessions/2026/11/22', `rollout-2026-11-22T00-00-00-${originalId}.jsonl`);
    written(file, [
      record('session_meta', { id: originalId, history_base: { thread_id: originalId, end_byte_offset: 9999 } }),
    ]);
    expect((await opened(file)).issues).toHaveLength(1);
  });

  it('a fork that Codex made is copied whole, so that the copy needs no other file', async () => {
    const { forked, shared } = family(folder());
    const chance = { uuid: () => '00000000-0000-4000-8000-000000000000', now: () => new Date(0) };
    const original = await opened(forked);
    const lines = async function* () {
      for (const [index, text] of readFileSync(forked, 'utf8').split('\n').entries()) yield { number: index + 1, text };
    };
    const copy: string[] = [];
    const place = fork.place(original, chance);
    for await (const line of fork.copy({ original, place, lines, before: null, chance })) copy.push(line);
    expect(copy.slice(1)).toEqual([...shared.slice(1), said('q3', 'instead')].map((line) => JSON.stringify(line)));
    expect(picture(codexSession(copy).conversation.agentContext)).toEqual(picture(original.conversation.agentContext));

    const before = original.conversation.entries[0] ?? null;
    const earlier = fork.copy({ original, place, lines, before, chance });
    const kept: string[] = [];
    for await (const line of earlier) kept.push(line);
    expect(kept).toHaveLength(1);
  });

  it('a fork that Codex made is not copied if its original is gone', async () => {
    const lines = async function* () {
      yield { number: 1, text: JSON.stringify(forkOf({ thread_id: originalId, end_byte_offset: 9 })) };
    };
    const original = codexSession([meta]);
    const chance = { uuid: () => '00000000-0000-4000-8000-000000000000', now: () => new Date(0) };
    const place = fork.place(original, chance);
    const copy = fork.copy({ original, place, lines, before: null, chance })[Symbol.asyncIterator]();
    await copy.next().then(
      () => expect(copy.next()).rejects.toThrow(ForkRefused),
      (error) => expect(error).toBeInstanceOf(ForkRefused),
    );
  });
});

describe('the file of a thread', () => {
  it('the file of a thread is found by the day that its id begins with, or among the archived ones', () => {
    const root = folder();
    const { original, forked } = family(root);
    const archived = written(join(root, 'archived_sessions/rollout-2026-11-01T00-00-00-old.jsonl'), [meta]);
    const { findThread, findSegment } = rolloutsBeside(forked);
    for (const find of [findThread, findSegment]) {
      expect([find(originalId), find('old'), find('nobody')]).toEqual([original, archived, null]);
    }
  });
});

describe('the adapter', () => {
  it('looks in the folder that Codex is configured to use', () => {
    expect(codex.roots({ home: '/home/ada', variables: {} })).toEqual([
      '/home/ada/.codex/sessions',
      '/home/ada/.codex/archived_sessions',
    ]);
    expect(codex.roots({ home: '/home/ada', variables: { CODEX_HOME: '/c' } })[0]).toBe('/c/sessions');
    expect(codex.mayBeSession('/c/sessions/2026/11/22/rollout-x.jsonl')).toBe(true);
    expect(codex.mayBeSession('/c/sessions/2026/11/22/.rollout-x.jsonl.strata-fork')).toBe(false);
    expect(codex.resume?.({ id: 'thread', file: '/f' })).toEqual(['codex', 'resume', 'thread']);
  });

  it('recognises a session by its first record, even if its beginning was lost', () => {
    expect(codex.recognises([JSON.stringify(meta)])).toBe(true);
    expect(codex.recognises([JSON.stringify(said('q', 'x'))])).toBe(true);
    expect(codex.recognises([JSON.stringify({ type: 'response_item' })])).toBe(false);
    expect(codex.recognises(['not JSON'])).toBe(false);
  });
});

describe('a thread is in use', () => {
  function locks(): { folder: string; held: string } {
    const locksFolder = folder();
    for (const name of ['open.lock', 'killed.lock', '.coordination.lock']) writeFileSync(join(locksFolder, name), '');
    const held = join(locksFolder, 'locks');
    const inode = statSync(join(locksFolder, 'open.lock')).ino;
    writeFileSync(
      held,
      `1: POSIX  ADVISORY  READ 1 fe:00:7 128 128\n2: FLOCK  ADVISORY  WRITE 23 fe:00:${inode} 0 EOF\n`,
    );
    return { folder: locksFolder, held };
  }

  it('a thread is in use while its lock is held, not if a killed Codex left the file', async () => {
    const { folder: locksFolder, held } = locks();
    const { inUse, left } = await threadsIn(locksFolder, held);
    expect([[...inUse], [...left]]).toEqual([['open'], ['killed']]);
  });

  it('a thread is in use as long as its lock file exists if the holder of the lock is unknown', async () => {
    const { folder: locksFolder } = locks();
    const { inUse } = await threadsIn(locksFolder, join(locksFolder, 'nothing'));
    expect([...inUse].sort()).toEqual(['killed', 'open']);
  });

  it('a thread is not in use if Codex was never run', async () => {
    expect((await threadsIn(join(folder(), 'none'))).inUse.size).toBe(0);
  });
});
