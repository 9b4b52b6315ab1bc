import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { claudeCode } from './claude-code';
import { cline } from './cline';
import { codex } from './codex';
import { leaksIn, presetOf, sessionFiles, watchArguments, withSecret } from './command-model';
import { geminiCli } from './gemini-cli';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { openCode } from './opencode';
import { pi } from './pi';
import { qwenCode } from './qwen-code';
import { summaryMark } from './server/script';

/** Tests of real agents' commands as models: `strata compact` uses them to write a summary. */

const minutes = 60_000;
/** A long session. Compacting it changes the context that `strata ask` asks about. */
const longSample = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');
const sample = resolve(import.meta.dirname, '../fixtures/pi-0.73/before-compaction.jsonl');

for (const agent of [claudeCode, codex, openCode, geminiCli, qwenCode, pi, cline]) {
  const installation = await install(agent);
  const program = installation.kind === 'installed' ? installation.program : null;
  if (program === null && installation.kind === 'missing') console.warn(`Skipped: ${installation.reason}`);
  describe.skipIf(program === null)(`${agent.id} ${agent.version} as a model`, () => {
    let laboratory: Laboratory;
    let folder: string;
    let strata: string;
    beforeAll(
      async () => {
        strata = join(await built('embeddings', 'cli'), 'cli/strata.js');
        folder = mkdtempSync(join(tmpdir(), 'strata-compacted-'));
        laboratory = await setUp(agent, program ?? '');
      },
      buildTimeoutMs + 2 * minutes,
    );
    afterAll(() => {
      laboratory?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it(
      'writes a summary and leaves no session behind',
      async () => {
        const { server, environment, place } = laboratory;
        const session = join(folder, 'session.jsonl');
        cpSync(sample, session);
        const before = sessionFiles(place.home);
        const watch = watchArguments(agent.program);
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [
            ...[strata, '--journal', join(folder, 'journals'), 'compact', session, '--strategy', 'checkpoint'],
            ...['--summarizer', 'command', '--command', presetOf(agent).id],
            ...['--set', 'keepRecentTokens=100', '--set', 'reserveTokens=1000'],
          ],
          {
            env: {
              ...withSecret(environment.variables),
              PATH: `${dirname(program ?? '')}:${environment.variables.PATH}`,
            },
          },
        );
        const seen = watch.end();
        expect(stdout).toMatch(/compacted|tokens/i);
        const asked = server.exchanges.filter(({ reply }) => reply.purpose === 'summary');
        expect(asked.length).toBeGreaterThanOrEqual(1);
        expect(
          asked.flatMap(({ request }) => request.tools).filter((tool) => /shell|bash|exec|write|edit/i.test(tool)),
        ).toEqual([]);
        expect(readJournals(folder)).toContain(summaryMark);
        expect(sessionFiles(place.home)).toEqual(before);
        expect(await laboratory.sessions()).toEqual([]);
        expect(seen.length).toBeGreaterThan(0);
        expect(seen.join('\n')).not.toContain('BEGIN QUOTATION');
        expect(leaksIn(seen, session)).toEqual([]);
        expect(
          readdirSync(environment.variables.TMPDIR ?? '').filter((name) => name.startsWith('strata-model-')),
        ).toEqual([]);
      },
      4 * minutes,
    );

    it(
      'answers a question with the context before and after a compaction',
      async () => {
        const { server, environment, place } = laboratory;
        const session = join(folder, 'long.jsonl');
        cpSync(longSample, session);
        const [before, asked] = [sessionFiles(place.home), server.exchanges.length];
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [
            ...[
              strata,
              '--journal',
              join(folder, 'asked'),
              'ask',
              session,
              '--strategy',
              'tool-calls',
              '--json',
              '--yes',
            ],
            ...['--no-standard', '--question', 'Which file is next?', '--command', presetOf(agent).id],
          ],
          {
            env: {
              ...withSecret(environment.variables),
              PATH: `${dirname(program ?? '')}:${environment.variables.PATH}`,
            },
          },
        );
        const [answer] = JSON.parse(stdout).questions;
        expect([answer.before.kind, answer.after.kind]).toEqual(['given', 'given']);
        const prompts = server.exchanges.slice(asked).map(({ request }) => JSON.stringify(request));
        expect(prompts.filter((prompt) => prompt.includes('Which file is next?')).length).toBeGreaterThanOrEqual(2);
        expect(sessionFiles(place.home)).toEqual(before);
      },
      4 * minutes,
    );
  });
}

function readJournals(folder: string): string {
  const files = readdirSync(join(folder, 'journals'), { recursive: true, encoding: 'utf8' });
  return files
    .map((name) => join(folder, 'journals', name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}
