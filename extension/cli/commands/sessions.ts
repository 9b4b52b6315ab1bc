import { type Command, Option } from 'commander';
import { defaultFolder } from '../default-folders';
import { duration, size, wholeNumber } from './option-values';

export function addSessions(program: Command): void {
  program
    .command('sessions')
    .description('list the sessions of all agents, newest first')
    .option('--json', 'as JSON')
    .option('--limit <count>', 'maximum number of sessions', wholeNumber, 50)
    .option('--folder <dir>', 'only sessions of this folder and folders in it')
    .option('--title <words>', 'only sessions with these words in the title')
    .option('--live', 'only sessions in which an agent is working')
    .action(async (options) => (await import('../sessions')).listSessions({ ...program.opts(), ...options }));

  const conversations = program
    .command('conversations')
    .description('list the conversations that the gateway or the library keeps, and the room they take')
    .summary('list the conversations that gateway or library keep')
    .option('--folder <dir>', 'folder of the conversations and journals', defaultFolder())
    .option('--json', 'as JSON')
    .action(async (_options, command) =>
      (await import('../conversations')).listConversations(command.optsWithGlobals()),
    );
  conversations
    .command('prune')
    .description('delete kept conversations with their journals, except those written to in the last ten minutes')
    .option('--older-than <time>', 'only those not written to for this long: 12h, 30d, 4w', duration)
    .option('--larger-than <size>', 'only those larger than this: 500kB, 20MB', size)
    .option('--dry-run', 'only list them')
    .action(async (_options, command) =>
      (await import('../conversations')).pruneConversations(command.optsWithGlobals()),
    );

  program
    .command('inspect')
    .description('show what is in the context of a session')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action(async (file, options) => (await import('../inspect')).inspect(file, { ...program.opts(), ...options }));

  program
    .command('check')
    .description('say what is wrong with a session file, line by line')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action(async (file, options) => (await import('../check')).check(file, { ...program.opts(), ...options }));

  program
    .command('context')
    .description('print the context that the model would be sent')
    .argument('<file>', 'session file')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'openai', 'anthropic']).default('text'))
    .action(async (file, options) => (await import('../context')).showContext(file, { ...program.opts(), ...options }));

  program
    .command('follow')
    .description('print the content of a session and then its changes as JSON lines')
    .summary('print a session and then its changes as JSON lines')
    .argument('<file>', 'session file')
    .option('--new', 'only changes from now on')
    .action(async (file, options) => (await import('../follow')).follow(file, { ...program.opts(), ...options }));

  program
    .command('fork')
    .description('write a new session of the same agent with the context as compacted here')
    .summary('write a new session with the compacted context')
    .argument('<file>', 'session file')
    .option('--before <entry>', 'only the conversation before the prompt with this id')
    .option('--before-turn <number>', 'only the conversation before the turn with this number', wholeNumber)
    .option('--mend', 'write a whole session out of a broken one: nothing that can be read is left out')
    .option('--interrupted', 'confirms that no agent is at work in a session that was written just now')
    .option('--in-place', 'append the compaction to the session itself instead; only if the agent supports it')
    .option('--closed', 'with --in-place: confirms that no agent has the session open')
    .option('--json', 'as JSON')
    .action(async (file, options) => (await import('../fork')).fork(file, { ...program.opts(), ...options }));
}
