import type { Command } from 'commander';
import { core } from '../core';
import { handoff } from '../handoff';
import { pin } from '../journal-commands';
import { lost } from '../lost';
import { summarizerOptions } from '../models';
import { recall } from '../recall';

export function addCoreAndMemory(program: Command): void {
  program
    .command('pin')
    .description('pin a goal, a constraint or a decision into the protected core')
    .summary('pin a goal, a constraint or a decision')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'the current goal')
    .option('--constraint <text>', 'a rule that must hold')
    .option('--decision <text>', 'a decision that was made')
    .option('--rationale <text>', 'with --decision: why it was made')
    .action((file, options) => pin(file, { ...program.opts(), ...options }));

  summarizerOptions(program.command('handoff'))
    .description('print a draft for a new thread: the goal, the core and what matters from this session')
    .summary('print a draft for a new thread')
    .argument('<file>', 'session file')
    .option('--goal <text>', 'the goal of the new thread')
    .action((file, options) => handoff(file, { ...program.opts(), ...options }));

  program
    .command('recall')
    .description('search what memory strategies remember of a session, or print what a block left out')
    .summary('search memories, or print what a block left out')
    .argument('<file>', 'session file')
    .argument('[query]', 'what to search for')
    .option('--timeline <id>', 'show the records before and after a hit')
    .option('--fetch <id...>', 'print whole records by their ids, or messages by the references of a block')
    .option('--json', 'as JSON')
    .action((file, query, options) => recall(file, query, { ...program.opts(), ...options }));

  program
    .command('lost')
    .description('print, as a prompt for the agent, what its context no longer has after its newest compaction')
    .summary('print what the agent’s newest compaction left out')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => lost(file, { ...program.opts(), ...options }));

  program
    .command('core')
    .description('show the protected core with its proposals, and change the status of an item')
    .summary('show the protected core, or change an item')
    .argument('<file>', 'session file')
    .option('--propose', 'propose goals, constraints and decisions found in the conversation')
    .option('--confirm <id>', 'accept a proposal into the core')
    .option('--refuse <id>', 'refuse a proposal; it is not proposed again')
    .option('--done <id>', 'mark an item as done; it leaves the context')
    .option('--supersede <id>', 'mark an item as superseded; it leaves the context')
    .option('--json', 'as JSON')
    .action((file, options) => core(file, { ...program.opts(), ...options }));
}
