import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../extension/engine/conversation/branch';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { type Rereading, rereadings } from '../../../extension/engine/history/rereading';
import { openSession } from '../../../extension/sessions/open';
import { summarised } from '../../builders/agent-compaction';
import { call, result, type Said, user } from '../../builders/conversation';

const fixtures = join(import.meta.dirname, '../../fixtures');

let count = 0;

function read(path: string, text = `contents of ${path}`, part: object = {}): Said[] {
  count += 1;
  return [call(`r${count}`, 'Read', { file_path: path, ...part }), result(`r${count}`, text)];
}

function edit(path: string): Said[] {
  count += 1;
  return [
    call(`e${count}`, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }),
    result(`e${count}`, 'done'),
  ];
}

function shell(cmd: string, text: string): Said[] {
  count += 1;
  return [call(`s${count}`, 'exec_command', { cmd, workdir: '/repo' }), result(`s${count}`, text)];
}

/** Each result counts as one token, so that tokens count calls. */
function rereadingIn(conversation: Conversation): Rereading | undefined {
  return [...rereadings(branchOf(conversation), () => 1).values()][0];
}

function rereadAfter(before: readonly Said[], later: readonly Said[]): Rereading | undefined {
  return rereadingIn(summarised([user('Go.'), ...before], 'A summary.', later));
}

const files = ['/a.ts', '/b.ts', '/c.ts', '/d.ts', '/e.ts', '/f.ts'];

describe('what an agent read again after its compaction', () => {
  it('counts repeated reads, beside as many reads right before the compaction', () => {
    const later = [...files.slice(0, 4), '/new-1.ts', '/new-2.ts'].flatMap((path) => read(path));
    expect(
      rereadAfter(
        files.flatMap((path) => read(path)),
        later,
      ),
    ).toEqual({
      reads: 6,
      again: { calls: 4, tokens: 4 },
      changedSince: { calls: 0, tokens: 0 },
      usual: { reads: 6, again: 0 },
    });
  });

  it('counts a file once if it is read twice after the compaction', () => {
    expect(rereadAfter(read('/a.ts'), [...read('/a.ts'), ...read('/a.ts')])?.again.calls).toBe(1);
  });

  it('counts files separately that changed in between, by the agent or by others', () => {
    const changed = rereadAfter(
      [...read('/a.ts'), ...edit('/a.ts'), ...read('/b.ts')],
      [...read('/a.ts'), ...read('/b.ts', 'something else')],
    );
    expect(changed).toMatchObject({ again: { calls: 0 }, changedSince: { calls: 2 } });
  });

  it('treats another part of a file as not read before', () => {
    const before = read('/a.ts', 'x', { offset: 1, limit: 100 });
    expect(rereadAfter(before, read('/a.ts', 'y', { offset: 101, limit: 50 }))?.again.calls).toBe(0);
    expect(rereadAfter(before, read('/a.ts', 'y', { offset: 90, limit: 50 }))?.again.calls).toBe(1);
  });

  it('recognises reads by shell commands, each relative to its folder', () => {
    const before = shell("sed -n '1,200p' src/a.ts && cat docs/b.md", 'text');
    expect(rereadAfter(before, shell('cat /repo/docs/b.md', 'text'))?.again.calls).toBe(1);
    expect(rereadAfter(before, shell("nl -ba src/a.ts | sed -n '150,300p'", 'text'))?.again.calls).toBe(1);
    expect(rereadAfter(before, shell("sed -n '201,300p' src/a.ts", 'text'))?.again.calls).toBe(0);
    expect(rereadAfter(before, shell('cd src && head -n 20 a.ts', 'text'))?.again.calls).toBe(1);
  });

  it('ignores searches, lists, writes and failed reads', () => {
    const none = [
      ...shell('rg foo src/a.ts', 'src/a.ts:1: foo'),
      ...shell('cat src/a.ts > /tmp/copy', ''),
      ...shell('cat src/a.ts | grep foo | head -5', 'foo'),
      call('x', 'Grep', { pattern: 'foo', path: '/repo/src/a.ts' }),
      result('x', 'foo'),
      call('y', 'Read', { file_path: '/repo/src/a.ts' }),
      result('y', 'Error: no such file', true),
    ];
    expect(rereadAfter(shell('cat src/a.ts', 'text'), none)).toBeUndefined();
  });

  it('gives no usual share if there is too little to compare', () => {
    expect(
      rereadAfter(
        read('/a.ts'),
        files.flatMap((path) => read(path)),
      ),
    ).toMatchObject({ reads: 6, usual: null });
  });

  it.each([
    ['claude-code-2.1.14/auto-compaction.jsonl', { reads: 9, again: { calls: 4 }, usual: null }],
    ['pi-v1/until-after-first-compaction.jsonl', { reads: 18, again: { calls: 8 }, usual: { reads: 18, again: 0 } }],
  ])('is found in the real session %s', async (name, expected) => {
    const outcome = await openSession(join(fixtures, name));
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    const found = [...rereadings(branchOf(outcome.session.conversation), () => 1).values()];
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(expected);
  });
});
