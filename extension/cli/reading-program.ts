import { Command, Help, Option } from 'commander';
import { storePlaces } from '../conversations/stores/places/place';
import { agentNames } from '../sessions/session';
import { several } from './commands/option-values';
import { addSessions } from './commands/sessions';
import { defaultJournalFolder } from './default-folders';
import { warn } from './output';
import { honourProxies } from './proxies';
import { strataVersion } from './version';

/** The program with the commands that read sessions. They load what they need when they run. */
export function readingProgram(): Command {
  const program = new Command('strata')
    .description(
      'Show and compact what is in a coding agent’s context window. Only `fork --in-place` writes to a session file.',
    )
    .option('--journal <dir>', 'folder of the journals', defaultJournalFolder())
    .addOption(
      new Option('--agent <agent>', 'the agent that wrote the file, or whose sessions to list').choices(
        Object.keys(agentNames),
      ),
    )
    .option('--in <store>', `<file> is the key or id of a conversation in a store: ${storePlaces}`)
    .option('--tenant <name>', 'with --in: the tenant of the conversation')
    .option('--policy <file>', 'first load a module with your own policies; can be given several times', several)
    .hook('preAction', async (command) => {
      const unused = honourProxies(process.env);
      if (unused !== null) warn(unused);
      const { policy } = command.opts();
      if (policy !== undefined) await (await import('./policies')).loadPolicies(policy);
    })
    .version(strataVersion)
    .configureHelp({ subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', '') })
    .exitOverride();
  addSessions(program);
  return program;
}
