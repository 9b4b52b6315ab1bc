/**
 * `npm run test:agents`: the real agents. Words select agents by the names of their files.
 *
 * `npm run test:agents -- --newest` tries the newest version of each. It says what broke and what changed in the agent, writes
 * the table of versions into `docs/agents.md`, and moves the pinned version of each agent up in which nothing broke.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { newest: { type: 'boolean' } }, allowPositionals: true });
const wantsNewest = values.newest === true || process.env.STRATA_NEWEST_AGENTS === '1';
const folder = mkdtempSync(join(tmpdir(), 'strata-agents-'));
try {
  process.exitCode = await runVitest();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runVitest(): Promise<number> {
  const record = ['--reporter=default', '--reporter=./test/agents/tried/reporter.ts'];
  const reporters = wantsNewest ? record : ['--reporter=default'];
  const newest = wantsNewest ? { STRATA_NEWEST_AGENTS: '1', STRATA_AGENT_SHAPES: folder } : {};
  const child = spawn('vitest', ['run', '--project', 'agents', ...reporters, ...positionals], {
    stdio: 'inherit',
    env: { ...process.env, ...newest },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
