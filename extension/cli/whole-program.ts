import type { Command } from 'commander';
import { addAgents, addMcp, addSetup } from './commands/agents';
import { addCompaction } from './commands/compaction';
import { addCoreAndMemory } from './commands/core-and-memory';
import { addGateway, addServe } from './commands/servers';
import { evaluate } from './evaluate/evaluate';
import { merge } from './evaluate/merge';
import { evaluateOptions } from './evaluate/options';
import { readingProgram } from './reading-program';

/** The program with all its commands. */
export function strataProgram(): Command {
  const program = readingProgram();
  addCompaction(program);
  addCoreAndMemory(program);
  addGateway(program);
  addServe(program);
  addAgents(program);
  addMcp(program);
  addSetup(program);
  addEvaluation(program);
  return program;
}

function addEvaluation(program: Command): void {
  const evaluation = evaluateOptions(program.command('evaluate'))
    .description('measure goal drift on tasks or on real sessions')
    .action((options) => evaluate(options));

  evaluation
    .command('merge')
    .description('merge the results of shards and report them')
    .argument('<files...>', 'results files of one run')
    .action((files, _, command) => merge(files, command.optsWithGlobals()));

  evaluation
    .command('work')
    .description('play units of the runs on a queue (--queue), on any machine, until Ctrl+C')
    .option('--until-empty', 'end when no run is left on the queue')
    .action(async (_, command) => await (await import('./evaluate/queue/work')).work(command.optsWithGlobals()));
}
