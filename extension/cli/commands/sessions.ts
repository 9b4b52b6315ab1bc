import { type Command, Option } from 'commander';
import { showContext } from '../context';
import { listConversations, pruneConversations } from '../conversations';
import { core } from '../core';
import { follow } from '../follow';
import { fork } from '../fork';
import { handoff } from '../handoff';
import { inspect } from '../inspect';
import { pin } from '../journal-commands';
import { lost } from '../lost';
import { summarizerOptions } from '../models';
import { defaultFolder } from '../opened';
import { recall } from '../recall';
import { listSessions } from '../sessions';
import { wholeNumber } from './option-values';

export function addSessions(program: Command): void {
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

export function addCoreAndMemory(program: Command): void {
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
