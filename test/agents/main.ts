/**
 * `npm run test:agents`: the real agents. Words select agents by the names of their files.
 *
 * `npm run test:agents -- --newest` tries the newest version of each, and says what broke.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { newest: { type: 'boolean' } }, allowPositionals: true });
const folder = mkdtempSync(join(tmpdir(), 'strata-agents-'));
const report = join(folder, 'report.json');
try {
  process.exitCode = await runVitest();
  if (values.newest) console.log(`\n${summary().join('\n')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runVitest(): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn('vitest', ['run', '--project', 'agents', ...reporters, ...positionals], {
    stdio: 'inherit',
    env: { ...process.env, ...(values.newest ? { STRATA_NEWEST_AGENTS: '1' } : {}) },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

interface Test {
  readonly ancestorTitles: readonly string[];
  readonly fullName: string;
  readonly status: string;
}

/** One line for each agent and version, and one for each of its tests that failed. */
function summary(): string[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly { readonly assertionResults: readonly Test[] }[];
  };
  const byAgent = new Map<string, Test[]>();
  for (const test of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const [agent = ''] = test.ancestorTitles;
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), test]);
  }
  return [...byAgent].flatMap(([agent, tests]) => [
    `${agent}: ${count(tests, 'passed')} passed, ${count(tests, 'failed')} failed, ${count(tests, 'skipped')} skipped`,
    ...tests.filter(({ status }) => status === 'failed').map(({ fullName }) => `  broke: ${fullName}`),
  ]);
}

function count(tests: readonly Test[], wanted: string): number {
  return tests.filter(({ status }) => status === wanted).length;
}
