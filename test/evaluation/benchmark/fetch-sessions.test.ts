import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchSessions } from '../../../extension/evaluation/benchmark/fetch-sessions';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';

const folder = temporaryFolders();
const session = join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl');

interface Source {
  readonly address: string;
  readonly commits: readonly string[];
  readonly folder?: string;
  readonly sessions?: string;
}

/** A new repository that serves its objects as a server does. */
function gitIn(path: string): (...parameters: readonly string[]) => string {
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...parameters], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('config', 'uploadpack.allowFilter', 'true');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  return git;
}

/** A repository with two copies of a session and another file, served as by a server. */
function repository(): Source {
  const path = folder();
  const git = gitIn(path);
  mkdirSync(join(path, 'one'));
  mkdirSync(join(path, 'two'));
  const text = `${readFileSync(session, 'utf8').trimEnd()}\n`;
  writeFileSync(join(path, 'one', 'full.jsonl'), text.slice(0, text.indexOf('\n', text.length / 2) + 1));
  writeFileSync(join(path, 'two', 'full.jsonl'), text);
  cpSync(session, join(path, 'other.jsonl'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Sessions');
  return { address: `file://${path}`, commits: [git('rev-parse', 'HEAD')] };
}

/** Each of these files is in a branch of its own. */
function branches(files: Readonly<Record<string, string>>): Source {
  const path = folder();
  const git = gitIn(path);
  const commits = Object.entries(files).map(([file, text], at) => {
    git('checkout', '--quiet', '--orphan', `checkpoint-${at}`);
    mkdirSync(join(path, dirname(file)), { recursive: true });
    writeFileSync(join(path, file), text);
    git('add', file);
    git('commit', '--quiet', '-m', 'Checkpoint');
    git('rm', '--quiet', '--cached', file);
    return git('rev-parse', 'HEAD');
  });
  return { address: `file://${path}`, commits };
}

function fetched(into: string, ...sources: readonly Source[]) {
  const named = sources.map((source, at) => ({ sessions: 'full.jsonl', ...source, name: `someone/project-${at}` }));
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
      { address: 'file:///nowhere/at/all', commits: ['0'.repeat(40)] },
      repository(),
    );
    expect(projects).toHaveLength(1);
    expect(skipped).toMatchObject([
      { file: 'someone/project-0', reason: expect.stringMatching(/could not be fetched: /) },
    ]);
  }, 30_000);

  it('come from several commits if no single one has them all, and from the folder that is named', async () => {
    const into = folder();
    const line = (id: string, more = '') => `{"type":"user","sessionId":"${id}"${more}}\n`;
    const source = branches({
      'logs/first.jsonl': line('session-one'),
      'logs/second.jsonl': line('session-two'),
      'other/third.jsonl': line('session-three'),
    });
    await fetched(into, { ...source, folder: 'logs/', sessions: '.jsonl' });
    const files = readdirSync(join(into, 'someone+project-0')).filter((name) => name.endsWith('.jsonl'));
    expect(files.sort()).toEqual(['session-one.jsonl', 'session-two.jsonl']);
  }, 30_000);

  it('are those of persons: a longer file of a subagent does not take the place of its session', async () => {
    const into = folder();
    const source = branches({
      'logs/session.jsonl': '{"type":"user","sessionId":"session-one","isSidechain":false}\n',
      'logs/agent-a1.jsonl': `{"type":"user","isSidechain":true,"agentId":"a1","sessionId":"session-one","text":"${'x'.repeat(99)}"}\n`,
    });
    await fetched(into, { ...source, sessions: '.jsonl' });
    expect(readFileSync(join(into, 'someone+project-0', 'session-one.jsonl'), 'utf8')).toContain('"isSidechain":false');
  }, 30_000);

  it('of pi are one for all its versions', async () => {
    const into = folder();
    const head = '{"type":"session","version":3,"id":"01a1ffd6-57de","timestamp":"2026-11-21T20:39:59.712Z"}\n';
    await fetched(into, {
      ...branches({ 'a.jsonl': head, 'b.jsonl': `${head}{"type":"message"}\n` }),
      sessions: '.jsonl',
    });
    expect(readdirSync(join(into, 'someone+project-0')).sort()).toEqual(['01a1ffd6-57de.jsonl', 'fetched']);
  }, 30_000);
});
