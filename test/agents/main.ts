/**
 * `npm run test:agents`: the real agents. Words select agents by the names of their files.
 *
 * `npm run test:agents -- --newest` tries the newest version of each. It says what broke and what changed in the agent, writes
 * the table of versions into `docs/agents.md`, and moves the pinned version of each agent up in which nothing broke.
 *
 * `npm run test:agents -- --ci` runs the files of `ciFiles`, in a few minutes of two cores including the downloads.
 *
 * Agents that cannot be installed are skipped. A run in which no test passed has failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Files in which pinned agents run fast and with the same result each time: Strata inside at real compactions, sessions
 * read back, forks resumed. Left out are OpenCode, which fetches packages by itself at its start; files that type into
 * a terminal and wait for its screen (Copilot CLI, Cline, `mid-call`); files that need all agents or an editor
 * (`going-on`, `setup`, `gateway`, `mcp`, `panel`, `command-models`); and agents in which Strata has no plugin.
 */
const ciFiles = ['inside/pi', 'inside/claude-code', 'inside/summarizers', 'pi', 'qwen-code'].map(
  (name) => `test/agents/${name}.agents.ts`,
);
/**
 * Leaves out the tests that wait for a Strata that does not answer: they are slow, and their limits of seconds need an
 * idle machine.
 */
const ciTests = ['-t', '^(?!.* with a Strata that is )'];

const options = { newest: { type: 'boolean' }, ci: { type: 'boolean' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
for (const file of ciFiles) if (!existsSync(file)) throw new Error(`There is no ${file}`);
const chosen = values.ci === true ? [...ciFiles, ...ciTests] : positionals;
const wantsNewest = values.newest === true || process.env.STRATA_NEWEST_AGENTS === '1';
const folder = mkdtempSync(join(tmpdir(), 'strata-agents-'));
const results = join(folder, 'results.json');
try {
  process.exitCode = (await runVitest()) || withoutPassed();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runVitest(): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  if (wantsNewest) reporters.push('--reporter=./test/agents/tried/reporter.ts');
  const newest = wantsNewest ? { STRATA_NEWEST_AGENTS: '1', STRATA_AGENT_SHAPES: folder } : {};
  const child = spawn('vitest', ['run', '--project', 'agents', ...reporters, ...chosen], {
    stdio: 'inherit',
    env: { ...process.env, ...newest },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Names the files in which every test was skipped. Returns the exit status. */
function withoutPassed(): number {
  const { testResults }: VitestResults = JSON.parse(readFileSync(results, 'utf8'));
  const [tried, skipped] = [testResults.filter(hasPassed), testResults.filter((file) => !hasPassed(file))];
  for (const { name } of skipped) console.log(`Every test was skipped in ${relative('.', name)}.`);
  if (tried.length === 0) console.error('No agent was tested.');
  return tried.length === 0 ? 1 : 0;
}

/** The fields of Vitest's JSON report that are read. */
interface VitestResults {
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

function hasPassed({ assertionResults }: VitestFile): boolean {
  return assertionResults.some(({ status }) => status === 'passed');
}
