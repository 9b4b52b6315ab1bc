import { Argument, Command, CommanderError, Option } from 'commander';
import { doors } from '../agents/doors';
import { type AgentAction, agentActions } from '../agents/exchange';
import { verificationModes } from '../engine/compaction/verify';
import { defaultStrategy } from '../engine/run/registry';
import { askAgent, serveInside } from './agent';
import { ask } from './ask';
import { CommandFailed } from './command-failed';
import { compact } from './compact';
import { compare } from './compare';
import { showContext } from './context';
import { listConversations, pruneConversations } from './conversations';
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
import { lost } from './lost';
import { summarizerOptions } from './models';
import { agentIds, defaultFolder, defaultJournalFolder, warn, withoutControls } from './opened';
import { loadPolicies } from './policies';
import { honourProxies } from './proxies';
import { recall } from './recall';
import { addTenant, serve } from './serve';
import { listSessions } from './sessions';
import { setup, setupAgentIds } from './setup';
import { storePlaces } from './store-at';
import { listStrategies } from './strategies';
import { strataVersion } from './version';

/** Part of the contract in docs/cli.md, which scripts rely on. */
const exitCodes = { success: 0, failed: 1, usage: 2 };

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

function addSessions(program: Command): void {
  program
    .command('sessions')
    .description('list the sessions of all agents, newest first')
    .option('--json', 'as JSON')
    .option('--limit <count>', 'maximum number of sessions', wholeNumber, 50)
    .option('--folder <dir>', 'only sessions of this folder and folders in it')
    .option('--title <words>', 'only sessions with these words in the title')
    .option('--live', 'only sessions in which an agent is working')
    .action((options) => listSessions({ ...program.opts(), ...options }));

  const conversations = program
    .command('conversations')
    .description('list the conversations that the gateway or the library keeps, and the room they take')
    .option('--folder <dir>', 'folder of the conversations and journals', defaultFolder())
    .option('--json', 'as JSON')
    .action((_options, command) => listConversations(command.optsWithGlobals()));
  conversations
    .command('prune')
    .description('delete kept conversations with their journals; never one that was written to in the last ten minutes')
    .option('--older-than <time>', 'not written to for this long: 12h, 30d, 4w')
    .option('--larger-than <size>', 'larger than this: 500kB, 20MB')
    .option('--dry-run', 'only list them')
    .action((_options, command) => pruneConversations(command.optsWithGlobals()));

  program
    .command('inspect')
    .description('show what is in the context of a session')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => inspect(file, { ...program.opts(), ...options }));

  program
    .command('follow')
    .description('print the content of a session and then its changes as JSON lines')
    .argument('<file>', 'session file')
    .option('--new', 'only changes from now on')
    .action((file, options) => follow(file, { ...program.opts(), ...options }));

  program
    .command('fork')
    .description('write a new session of the same agent with the context as compacted here')
    .argument('<file>', 'session file')
    .option('--before <entry>', 'only the conversation before the prompt with this id')
    .option('--before-turn <number>', 'only the conversation before the turn with this number', wholeNumber)
    .option('--in-place', 'append the compaction to the session itself instead; only if the agent supports it')
    .option('--closed', 'with --in-place: confirms that no agent has the session open')
    .option('--json', 'as JSON')
    .action((file, options) => fork(file, { ...program.opts(), ...options }));
}

function addCompaction(program: Command): void {
  summarizerOptions(program.command('compact'))
    .description('compact a session’s context; the result is written to the journal')
    .argument('<file>', 'session file')
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy)
    .option('--dry-run', 'show what would be done without writing anything')
    .option('--instructions <text>', 'what the summary should focus on')
    .option('--set <parameter=value>', 'a parameter of the strategy; can be given several times', several)
    .addOption(
      new Option('--verification <mode>', 'what to do with a summary that drops something')
        .choices(verificationModes)
        .default('repair'),
    )
    .option('--json', 'as JSON')
    .action((file, options) => compact(file, { ...program.opts(), ...options }));

  summarizerOptions(program.command('ask'))
    .description('ask a model the same questions with the context before and after a compaction; changes nothing')
    .argument('<file>', 'session file')
    .option('--question <text>', 'a question of your own; can be given several times', several)
    .option('--no-standard', 'leave out the standard questions: goal, constraints, next step')
    .option('--strategy <name>', 'compare before and after this strategy; by default the compactions of the journal')
    .option('--dry-run', 'only print what it would cost')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'as JSON')
    .action((file, options) => ask(file, { ...program.opts(), ...options }));

  program
    .command('strategies')
    .description('list the strategies with their parameters')
    .option('--json', 'as JSON')
    .action(listStrategies);

  program
    .command('compare')
    .description('show what every strategy would do to a session, without a model and without writing anything')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => compare(file, { ...program.opts(), ...options }));

  program
    .command('undo')
    .description('undo the newest run, or one compaction and the later ones on top of it')
    .argument('<file>', 'session file')
    .argument('[seq]', 'number of the compaction', wholeNumber)
    .action((file, seq) => undo(file, seq, program.opts()));

  program
    .command('redo')
    .description('revert the newest undo')
    .argument('<file>', 'session file')
    .action((file) => redo(file, program.opts()));
}

function addCoreAndMemory(program: Command): void {
  program
    .command('pin')
    .description('pin a goal, a constraint or a decision into the protected core')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'the current goal')
    .option('--constraint <text>', 'a rule that must hold')
    .option('--decision <text>', 'a decision that was made')
    .option('--rationale <text>', 'with --decision: why it was made')
    .action((file, options) => pin(file, { ...program.opts(), ...options }));

  summarizerOptions(program.command('handoff'))
    .description('print a draft for a new thread: the goal, the core and what matters from this session')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'the goal of the new thread')
    .action((file, options) => handoff(file, { ...program.opts(), ...options }));

  program
    .command('recall')
    .description('search what memory strategies remember of a session')
    .argument('<file>', 'session file')
    .argument('[query]', 'what to search for')
    .option('--timeline <id>', 'show the records before and after a hit')
    .option('--fetch <id...>', 'print whole records by their ids')
    .option('--json', 'as JSON')
    .action((file, query, options) => recall(file, query, { ...program.opts(), ...options }));

  program
    .command('lost')
    .description('print, as a prompt for the agent, what its newest compaction by itself forgot')
    .argument('<file>', 'session file')
    .option('--pin', 'also pin goal, rules and decisions of it into the protected core')
    .option('--json', 'as JSON')
    .action((file, options) => lost(file, { ...program.opts(), ...options }));

  program
    .command('core')
    .description('show the protected core with its proposals, and change the status of an item')
    .argument('<file>', 'session file')
    .option('--propose', 'propose goals, constraints and decisions found in the conversation')
    .option('--confirm <id>', 'accept a proposal into the core')
    .option('--refuse <id>', 'refuse a proposal; it is not proposed again')
    .option('--done <id>', 'mark an item as done; it leaves the context')
    .option('--supersede <id>', 'mark an item as superseded; it leaves the context')
    .option('--json', 'as JSON')
    .action((file, options) => core(file, { ...program.opts(), ...options }));

  program
    .command('context')
    .description('print the context that the model would be sent')
    .argument('<file>', 'session file')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'openai', 'anthropic']).default('text'))
    .action((file, options) => showContext(file, { ...program.opts(), ...options }));
}

function addGateway(program: Command): void {
  summarizerOptions(program.command('gateway'))
    .description('run a server between agents and their providers that compacts requests')
    .option('--port <number>', 'port on this machine; 0 means any free port', wholeNumber, 0)
    .option('--folder <dir>', 'folder of the conversations and their journals', defaultFolder())
    .option('--openai <url>', 'address for requests in OpenAI’s formats, with /v1')
    .option('--anthropic <url>', 'address for requests in Anthropic’s format')
    .option('--window <tokens>', 'context window of every model; by default the known window of each', wholeNumber)
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy)
    .option('--set <parameter=value>', 'a parameter of the strategy; can be given several times', several)
    .option('--no-auto-compact', 'turn automatic compaction off')
    .option('--keep-one-offs', 'also keep requests without tools that nothing continues, such as those for a title')
    .option('--token <text>', 'the secret in the addresses (or STRATA_GATEWAY_TOKEN); by default a new one')
    .option('--json', 'print the addresses as JSON')
    .action((options) => gateway(options));
}

function addServe(program: Command): void {
  const served = program
    .command('serve')
    .description('run a gateway for a team: one store, a token for each tenant, any number of processes')
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--port <number>', 'port; 0 means any free one', wholeNumber, 0)
    .option('--store <place>', storePlaces, defaultFolder())
    .option('--tenants <file>', 'file with a line "NAME sha256:DIGITS" for each token', 'tenants')
    .option('--openai <url>', 'address for requests in OpenAI’s formats, with /v1')
    .option('--anthropic <url>', 'address for requests in Anthropic’s format')
    .option('--window <tokens>', 'context window of every model; by default the known window of each', wholeNumber)
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy)
    .option('--no-auto-compact', 'turn automatic compaction off')
    .option(
      '--in-flight <MB>',
      'most megabytes of request bodies at once; others are told to try again',
      wholeNumber,
      256,
    )
    .option('--grace <seconds>', 'time for open requests when it is told to end', wholeNumber, 30)
    .option('--json', 'print the address as JSON')
    .action((options) => serve(options));
  served
    .command('token')
    .description('make a token for a tenant; it is printed once and stored nowhere')
    .argument('<name>', 'name of the tenant')
    .action((name, _options, command) => addTenant(name, command.optsWithGlobals()));
}

function addAgents(program: Command): void {
  const agent = program.command('agent').description('Strata inside an agent: what its plugins there ask for');
  const journal = () => chosenJournal(program);
  for (const action of agentActions) {
    agent
      .command(action)
      .description(actionTexts[action])
      .addArgument(new Argument('<agent>', 'the agent').choices(doors.map((door) => door.agent)))
      .option('--session <id>', 'the session; without it the request is JSON on standard input')
      .option('--file <file>', 'its file, if the id alone does not tell')
      .option('--instructions <text>', 'what a compaction should focus on')
      .option('--text <text>', 'what is to be pinned')
      .option('--json', 'as JSON')
      .action((name, options) => askAgent(action, name, { ...journal(), ...options }));
  }
  agent
    .command('serve')
    .description('answer the plugins inside agents faster, until Ctrl+C; an editor with Strata does so too')
    .action(() => serveInside(journal()));
}

const actionTexts: Readonly<Record<AgentAction, string>> = {
  hello: 'note that Strata is inside a session of the agent',
  compact: 'compact the agent’s context; the answer is what the agent goes on with',
  preview: 'show what the agent’s next compaction will do, and prepare it',
  context: 'print what an agent that asks before each request is to send, after what is due',
  clear: 'replace old tool output of the agent by one line each',
  core: 'print the protected core, for agents that write their own summaries',
  reminder: 'print the core and what the agent’s own summary left out',
  status: 'show whether Strata is inside a session, and what is prepared',
  pin: 'pin a rule that must hold after every compaction',
  undo: 'undo the newest compaction in the agent',
  why: 'show what the newest compaction in the agent did, and what it lost',
};

function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools for agents over the Model Context Protocol, on standard input and output')
    .option(
      '--session <id>',
      'the session that calls are about; by default the one of the calling agent in this folder',
    )
    .action(async (options) => {
      const { agent } = program.opts();
      await (await import('./mcp')).mcp({ agent, ...chosenJournal(program), ...options });
    });
}

function addSetup(program: Command): void {
  program
    .command('setup')
    .description('set Strata up in the agents that are installed here; shows every change first')
    .addArgument(new Argument('[agents...]', 'only these agents').choices(setupAgentIds))
    .option('--remove', 'take out what was set up; every file is as it was before')
    .option('--dry-run', 'show the changes without writing anything')
    .option('-y, --yes', 'do not ask')
    .action((agents, options) => setup(agents, options));
}

/** Empty unless the person chose one. Absent, it is the journals' folder of the editor if it has run, else the usual one. */
function chosenJournal(program: Command): { readonly journal?: string } {
  return program.getOptionValueSource('journal') === 'cli' ? { journal: String(program.opts().journal) } : {};
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

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new CommanderError(exitCodes.usage, 'strata.number', `error: "${text}" is not a whole number`);
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
