import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { fixtures } from '../sessions/samples';
import { temporaryFolders } from '../sessions/temporary';

/** Tests of `strata evaluate --benchmark` as a person runs it, with local repositories instead of public ones. */

const folder = temporaryFolders();
let program: string;

beforeAll(async () => {
  program = join(await built('dashboard', 'cli'), 'cli/strata.js');
}, buildTimeoutMs);

/**
 * A bare repository as the tool Entire leaves it: a folder for each checkpoint, each with the whole session up to then.
 */
function repository(session: string): { readonly address: string; readonly commits: readonly string[] } {
  const [work, bare] = [folder(), join(folder(), 'bare.git')];
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...parameters], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  const text = readFileSync(session, 'utf8');
  const halfway = text.slice(0, text.indexOf('\n', text.length / 2) + 1);
  for (const [checkpoint, content] of Object.entries({ '0a/1b2c3d4e5f': halfway, '7f/6e5d4c3b2a': text })) {
    mkdirSync(join(work, checkpoint, '0'), { recursive: true });
    writeFileSync(join(work, checkpoint, '0', 'full.jsonl'), content);
    writeFileSync(join(work, checkpoint, '0', 'metadata.json'), '{}');
  }
  git('add', '.');
  git('commit', '--quiet', '-m', 'Checkpoints');
  git('clone', '--quiet', '--bare', work, bare);
  for (const option of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    execFileSync('git', ['--git-dir', bare, 'config', option, 'true']);
  return { address: `file://${bare}`, commits: [git('rev-parse', 'HEAD')] };
}

function play(manifest: string, out: string) {
  const parameters = ['evaluate', '--benchmark', manifest, '--contenders', 'checkpoint,prune', '--out', out];
  return spawnSync(process.execPath, [program, ...parameters], { encoding: 'utf8' });
}

describe('strata evaluate --benchmark', { timeout: 120_000 }, () => {
  it('fetches what a manifest names, plays it, and gives the same bytes again', () => {
    const sessions = ['claude-code-2.1.330/after-compaction.jsonl', 'codex-0.169/after-compaction.jsonl'];
    const repositories = sessions.map((session, at) => {
      return { name: `someone/project-${at}`, sessions: 'full.jsonl', ...repository(join(fixtures, session)) };
    });
    const gone = { ...repositories[0], name: 'someone/gone', address: `file://${join(folder(), 'gone.git')}` };
    const [here, there] = [folder(), folder()];
    writeFileSync(join(here, 'manifest.json'), JSON.stringify({ version: 1, repositories: [...repositories, gone] }));
    copyFileSync(join(here, 'manifest.json'), join(there, 'manifest.json'));

    const first = play(join(here, 'manifest.json'), join(here, 'out'));
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('fetching someone/gone')]);
    const report = JSON.parse(readFileSync(join(here, 'out/replay.json'), 'utf8'));
    expect(report).toMatchObject({ sessions: 2, measured: { agent: 2 } });
    expect(report.skipped[0]).toMatchObject({
      file: 'someone/gone',
      reason: expect.stringContaining('not be fetched'),
    });
    const fetched = readdirSync(join(here, 'out/sessions'));
    expect(fetched.sort()).toEqual(['someone+project-0', 'someone+project-1']);
    for (const project of fetched)
      expect(readdirSync(join(here, 'out/sessions', project)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(
        1,
      );

    expect(play(join(there, 'manifest.json'), join(there, 'out')).status).toBe(0);
    const bytes = (place: string) => readFileSync(join(place, 'out/replay.md'), 'utf8');
    expect(bytes(there)).toBe(bytes(here));
  });

  it('refuses a file that is not a manifest, with the position', () => {
    const manifest = join(folder(), 'benchmark.json');
    writeFileSync(manifest, JSON.stringify({ version: 1, repositories: [{ name: 'someone/project' }] }));
    const { status, stderr } = play(manifest, join(folder(), 'out'));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/benchmark\.json: .*repositories\.0\.address/)]);
  });
});
