/**
 * Runs the program named by its arguments as long as the process that started the keeper lives. `keep` starts the
 * keeper as the leader of a process group and holds the other end of its standard input. That end closes however its
 * holder ends, `kill -9` included. Then the keeper kills the whole group.
 */
import { spawn } from 'node:child_process';
import { onParentGone } from './lifeline.ts';

const [command, ...commandArguments] = process.argv.slice(2);
if (command === undefined) throw new Error('keeper.ts was started without a program to keep.');

onParentGone(() => process.kill(-process.pid, 'SIGKILL'));

const program = spawn(command, commandArguments, { stdio: ['ignore', 'inherit', 'inherit'] });
program.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
program.on('exit', (code, signal) => {
  if (signal !== null) console.error(`${command} was ended by ${signal}.`);
  process.exit(code ?? 1);
});
