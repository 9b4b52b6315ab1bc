import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchSessions } from '../../../extension/evaluation/benchmark/fetch-sessions';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';

const folder = temporaryFolders();
const session = join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl');

/** A repository with two copies of a session and another file, as a server gives it. */
function repository(): { readonly address: string; readonly commit: string } {
  const path = folder();
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...parameters], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  mkdirSync(join(path, 'one'));
  mkdirSync(join(path, 'two'));
  const text = `${readFileSync(session, 'utf8').trimEnd()}\n`;
  writeFileSync(join(path, 'one', 'full.jsonl'), text.slice(0, text.indexOf('\n', text.length / 2) + 1));
  writeFileSync(join(path, 'two', 'full.jsonl'), text);
  cpSync(session, join(path, 'other.jsonl'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Sessions');
  return { address: `file://${path}`, commit: git('rev-parse', 'HEAD') };
}

function fetched(into: string, ...sources: readonly { readonly address: string; readonly commit: string }[]) {
  const named = sources.map((source, at) => ({ ...source, name: `someone/project-${at}`, sessions: 'full.jsonl' }));
  const signal = new AbortController().signal;
  return fetchSessions(named, into, { signal, onProgress: () => undefined });
}

describe('the sessions of a benchmark', () => {
  it('are fetched with git at their commit, and of copies the longest', async () => {
    const into = folder();
    const { projects, skipped } = await fetched(into, repository());
    expect(skipped).toEqual([]);
    expect(projects).toEqual([join(into, 'someone+project-0')]);
    const files = readdirSync(projects[0] ?? '').filter((name) => name.endsWith('.jsonl'));
    expect(files).toHaveLength(1);
    const lines = (text: string) => text.trim().split('\n').length;
    expect(lines(readFileSync(join(projects[0] ?? '', files[0] ?? ''), 'utf8'))).toBe(
      lines(readFileSync(session, 'utf8')),
    );
    expect(readdirSync(into)).toEqual(['someone+project-0']);
  }, 30_000);

  it('are not fetched again', async () => {
    const into = folder();
    const source = repository();
    await fetched(into, source);
    const gone = { ...source, address: 'file:///nowhere/at/all' };
    expect(await fetched(into, gone)).toMatchObject({ skipped: [], projects: [join(into, 'someone+project-0')] });
  }, 30_000);

  it('leave out a repository that cannot be had, with what git says', async () => {
    const { projects, skipped } = await fetched(
      folder(),
      { address: 'file:///nowhere/at/all', commit: '0'.repeat(40) },
      repository(),
    );
    expect(projects).toHaveLength(1);
    expect(skipped).toMatchObject([
      { file: 'someone/project-0', reason: expect.stringMatching(/could not be fetched: /) },
    ]);
  }, 30_000);
});
