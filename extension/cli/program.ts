import { Command, CommanderError, Option } from 'commander';
import { CommandFailed } from './command-failed';
import { addAgents, addMcp, addSetup } from './commands/agents';
import { addCompaction } from './commands/compaction';
import { notWhole, several } from './commands/option-values';
import { addGateway, addServe } from './commands/servers';
import { addCoreAndMemory, addSessions } from './commands/sessions';
import { evaluate } from './evaluate/evaluate';
import { merge } from './evaluate/merge';
import { evaluateOptions } from './evaluate/options';
import { exitCodes } from './exit-codes';
import { agentIds, defaultJournalFolder, warn, withoutControls } from './opened';
import { loadPolicies } from './policies';
import { honourProxies } from './proxies';
import { storePlaces } from './store-at';
import { strataVersion } from './version';

/** Runs the command with the arguments after its name. Resolves to the exit code. */
export async function runStrata(args: readonly string[]): Promise<number> {
  try {
    await strataProgram().parseAsync(args, { from: 'user' });
    return exitCodes.success;
  } catch (error) {
    return exitCodeOf(error);
  }
}

export function strataProgram(): Command {
  const program = new Command('strata')
    .description(
      'Show and compact what is in a coding agent’s context window. Only `fork --in-place` writes to a session file.',
    )
    .option('--journal <dir>', 'folder of the journals', defaultJournalFolder())
    .addOption(
      new Option('--agent <agent>', 'the agent that wrote the file, or whose sessions to list').choices(agentIds),
    )
    .option('--in <store>', `take <file> for the key or id of a conversation in a store: ${storePlaces}`)
    .option('--tenant <name>', 'with --in: whose conversation it is')
    .option('--policy <file>', 'first load a module with your own policies; can be given several times', several)
    .hook('preAction', (command) => {
      const unused = honourProxies(process.env);
      if (unused !== null) warn(unused);
      return loadPolicies(command.opts().policy);
    })
    .version(strataVersion)
    .exitOverride();
  addSessions(program);
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

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.code === notWhole) process.stderr.write(`${error.message}\n`);
    return error.exitCode === exitCodes.success ? exitCodes.success : exitCodes.usage;
  }
  if (error instanceof CommandFailed && error.isUsage) {
    process.stderr.write(`error: ${withoutControls(error.message)}\n`);
    return exitCodes.usage;
  }
  warn(error instanceof Error ? error.message : String(error));
  return exitCodes.failed;
}
