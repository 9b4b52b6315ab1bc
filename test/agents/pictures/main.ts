/**
 * `npm run agent-pictures` records the terminals of the real agents around a compaction, in `docs/screenshots/agents`.
 * Arguments select agents.
 */
import { spawn } from 'node:child_process';

const child = spawn('vitest', ['run', '--project', 'agents', 'test/agents/pictures', ...filter()], {
  stdio: 'inherit',
  env: { ...process.env, STRATA_AGENT_PICTURES: '1' },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});

function filter(): string[] {
  const words = process.argv.slice(2);
  return words.length === 0 ? [] : ['-t', words.join('|')];
}
