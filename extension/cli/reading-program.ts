import { Command, Help, Option } from 'commander';
import { storePlaces } from '../conversations/stores/places/place';
import { agentNames } from '../sessions/session';
import { several } from './commands/option-values';
import { addSessions } from './commands/sessions';
import { defaultJournalFolder } from './default-folders';
import { warn } from './output';
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

type Variables = Readonly<Record<string, string | undefined>>;

/** Since Node.js 24.14 and 25.4. */
type Http = typeof import('node:http') & {
  readonly setGlobalProxyFromEnv?: (variables: Record<string, string>) => unknown;
};

/** Models and agents on this machine are never asked through a proxy. */
const thisMachine = 'localhost,127.0.0.1,::1,[::1]';

/**
 * Makes `node:http` and `node:https` requests of this process use HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. Returns a
 * message for the person if they are set and this version of Node.js cannot use them; otherwise null.
 */
function honourProxies(variables: Variables): string | null {
  const set = (name: string) => variables[name.toLowerCase()] || variables[name];
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name): [string, string][] => {
    const proxy = set(name);
    return proxy ? [[name, proxy]] : [];
  });
  if (proxies.length === 0) return null;
  const exceptions = [set('NO_PROXY'), thisMachine].filter(Boolean).join(',');
  // Importing it takes as long as the rest of a short command.
  const { setGlobalProxyFromEnv: setProxies }: Http = process.getBuiltinModule('node:http');
  if (setProxies) setProxies({ ...Object.fromEntries(proxies), NO_PROXY: exceptions });
  else if (!variables.NODE_USE_ENV_PROXY) return notHonoured(proxies.map(([name]) => name));
  return null;
}

function notHonoured(names: readonly string[]): string {
  return `${names.join(' and ')} cannot be used: set NODE_USE_ENV_PROXY=1 (Node.js 22.21), or use Node.js 24.14 or newer. This is ${process.version}.`;
}
