import { Command, CommanderError, Option } from 'commander';
import { verificationModes } from '../engine/compaction/verify';
import { defaultStrategy } from '../engine/run/registry';
import { CommandFailed } from './command-failed';
import { compact } from './compact';
import { compare } from './compare';
import { showContext } from './context';
import { core } from './core';
import { evaluate } from './evaluate/evaluate';
import { merge } from './evaluate/merge';
import { evaluateOptions } from './evaluate/options';
import { follow } from './follow';
import { fork } from './fork';
import { gateway } from './gateway';
import { handoff } from './handoff';
import { inspect } from './inspect';
import { pin, redo, undo } from './journal-commands';
import { summarizerOptions } from './models';
import { agentIds, defaultFolder, defaultJournalFolder, warn, withoutControls } from './opened';
import { loadPolicies } from './policies';
import { recall } from './recall';
import { listSessions } from './sessions';
import { listStrategies } from './strategies';
import { strataVersion } from './version';

/** The contract of this command is written down in docs/cli.md: scripts build on it. */
const exitCodes = { success: 0, failed: 1, usage: 2 };

/** Runs the command with the arguments that follow its name. Resolves to the exit code. */
export async function runStrata(args: readonly string[]): Promise<number> {
  try {
    await strataProgram().parseAsync(args, { from: 'user' });
    return exitCodes.success;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function strataProgram(): Command {
  const program = new Command('strata')
    .description(
      'See and compact what is in a coding agent’s context window. Session files are only read, but for `fork --in-place`.',
    )
    .option('--journal <dir>', 'where the journal lives', defaultJournalFolder())
    .addOption(new Option('--agent <agent>', 'whose session the file is, or whose sessions to list').choices(agentIds))
    .option('--policy <file>', 'run a module with policies of your own first; can be given several times', several)
    .hook('preAction', (command) => loadPolicies(command.opts().policy))
    .version(strataVersion)
    .exitOverride();
  addSessions(program);
  addCompaction(program);
  addCoreAndMemory(program);
  addGateway(program);
  addEvaluation(program);
  return program;
}

function addSessions(program: Command): void {
  program
    .command('sessions')
    .description('list the sessions of all agents, newest first')
    .option('--json', 'as JSON')
    .option('--limit <count>', 'at most this many', wholeNumber, 50)
    .option('--folder <dir>', 'only those about this folder, or folders in it')
    .option('--title <words>', 'only those with these words in their title')
    .option('--live', 'only those that an agent is at work in')
    .action((options) => listSessions({ ...program.opts(), ...options }));

  program
    .command('inspect')
    .description('show what is in the context of a session')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => inspect(file, { ...program.opts(), ...options }));

  program
    .command('follow')
    .description('print what is in a session, and then what comes, as JSON lines')
    .argument('<file>', 'session file')
    .option('--new', 'only what comes')
    .action((file, options) => follow(file, { ...program.opts(), ...options }));

  program
    .command('fork')
    .description('write a new session of the same agent that goes on with the context as compacted here')
    .argument('<file>', 'session file')
    .option('--before <entry>', 'only what was said before this prompt, by its id')
    .option('--before-turn <number>', 'the same by the number of the turn', wholeNumber)
    .option('--in-place', 'append the compaction to the session itself instead; only where the agent allows it')
    .option('--closed', 'with --in-place: no agent has the session open')
    .option('--json', 'as JSON')
    .action((file, options) => fork(file, { ...program.opts(), ...options }));
}

function addCompaction(program: Command): void {
  summarizerOptions(program.command('compact'))
    .description('compact a session’s context; the result is written to the journal')
    .argument('<file>', 'session file')
    .option('--strategy <name>', 'how to compact; `strata strategies` lists what there is', defaultStrategy)
    .option('--dry-run', 'show what would be done, and write nothing')
    .option('--instructions <text>', 'what the summary should pay attention to')
    .option('--set <parameter=value>', 'a parameter of the strategy; can be given several times', several)
    .addOption(
      new Option('--verification <mode>', 'what becomes of a summary that drops something')
        .choices(verificationModes)
        .default('repair'),
    )
    .option('--json', 'as JSON')
    .action((file, options) => compact(file, { ...program.opts(), ...options }));

  program
    .command('strategies')
    .description('list the strategies with their parameters')
    .option('--json', 'as JSON')
    .action(listStrategies);

  program
    .command('compare')
    .description('what every strategy would do to a session, without a model and without writing anything')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => compare(file, { ...program.opts(), ...options }));

  program
    .command('undo')
    .description('undo the newest run, or one compaction and those that lie over it')
    .argument('<file>', 'session file')
    .argument('[seq]', 'number of the compaction', wholeNumber)
    .action((file, seq) => undo(file, seq, program.opts()));

  program
    .command('redo')
    .description('take the newest undo back')
    .argument('<file>', 'session file')
    .action((file) => redo(file, program.opts()));
}

function addCoreAndMemory(program: Command): void {
  program
    .command('pin')
    .description('pin a goal, a constraint or a decision into the protected core')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'the current goal')
    .option('--constraint <text>', 'something that must hold')
    .option('--decision <text>', 'something that is settled')
    .action((file, options) => pin(file, { ...program.opts(), ...options }));

  summarizerOptions(program.command('handoff'))
    .description('print a draft for a new thread: the goal, the core and what matters of this one')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'what the next thread is for')
    .action((file, options) => handoff(file, { ...program.opts(), ...options }));

  program
    .command('recall')
    .description('search what memory strategies remember of a session')
    .argument('<file>', 'session file')
    .argument('[query]', 'what to look for')
    .option('--timeline <id>', 'what was remembered before and after a hit')
    .option('--fetch <id...>', 'whole records by their ids')
    .option('--json', 'as JSON')
    .action((file, query, options) => recall(file, query, { ...program.opts(), ...options }));

  program
    .command('core')
    .description('show the protected core with its proposals, and change what becomes of an item')
    .argument('<file>', 'session file')
    .option('--propose', 'look for goals, constraints and decisions in what was said, and propose them')
    .option('--confirm <id>', 'take a proposal into the core')
    .option('--refuse <id>', 'refuse a proposal; it is not made again')
    .option('--done <id>', 'mark an item as done; it leaves the context')
    .option('--supersede <id>', 'mark an item as superseded; it leaves the context')
    .option('--json', 'as JSON')
    .action((file, options) => core(file, { ...program.opts(), ...options }));

  program
    .command('context')
    .description('print the context as the model would be sent it')
    .argument('<file>', 'session file')
    .addOption(
      new Option('--format <name>', 'shape of the output').choices(['text', 'openai', 'anthropic']).default('text'),
    )
    .action((file, options) => showContext(file, { ...program.opts(), ...options }));
}

function addGateway(program: Command): void {
  summarizerOptions(program.command('gateway'))
    .description('stand between agents and their providers, and compact what they send')
    .option('--port <number>', 'where to listen on this machine; 0 takes any free port', wholeNumber, 0)
    .option('--folder <dir>', 'where conversations and their journals are kept', defaultFolder())
    .option('--openai <url>', 'where requests in OpenAI’s formats go, with /v1')
    .option('--anthropic <url>', 'where requests in Anthropic’s format go')
    .option('--window <tokens>', 'context window of every model; usually it is known', wholeNumber)
    .option('--strategy <name>', 'how to compact; `strata strategies` lists what there is', defaultStrategy)
    .option('--set <parameter=value>', 'a parameter of the strategy; can be given several times', several)
    .option('--no-auto-compact', 'compact nothing by itself')
    .option('--token <text>', 'what stands in the addresses (or STRATA_GATEWAY_TOKEN); usually a new one')
    .option('--json', 'print the addresses as JSON')
    .action((options) => gateway(options));
}

function addEvaluation(program: Command): void {
  const evaluation = evaluateOptions(program.command('evaluate'))
    .description('measure goal drift: on tasks with every strategy, or on what the work in real sessions needed')
    .action((options) => evaluate(options));

  evaluation
    .command('merge')
    .description('put the results of shards together, and report them')
    .argument('<files...>', 'results files of one run')
    .action((files, _, command) => merge(files, command.optsWithGlobals()));
}

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new CommanderError(exitCodes.usage, 'strata.number', `error: "${text}" is no number`);
  return Number(text);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.code === 'strata.number') process.stderr.write(`${error.message}\n`);
    return error.exitCode === exitCodes.success ? exitCodes.success : exitCodes.usage;
  }
  if (error instanceof CommandFailed && error.isUsage) {
    process.stderr.write(`error: ${withoutControls(error.message)}\n`);
    return exitCodes.usage;
  }
  warn(error instanceof Error ? error.message : String(error));
  return exitCodes.failed;
}
