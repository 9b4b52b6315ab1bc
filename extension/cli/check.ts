import { resolve } from 'node:path';
import { canFork } from '../inspection/fork/forkable';
import { openSession } from '../sessions/open';
import { agentNames } from '../sessions/session';
import { CommandFailed } from './command-failed';
import { print, printJson } from './output';
import { adapterFor, type JournalOptions } from './session-with-journal';

type CheckOptions = Pick<JournalOptions, 'agent' | 'in'> & { readonly json?: boolean };

/** Lists what is wrong with a session file, and fails if anything is. */
export async function check(file: string, options: CheckOptions): Promise<void> {
  if (options.in !== undefined)
    throw new CommandFailed('check needs a session file, not a conversation in a store', true);
  const outcome = await openSession(resolve(file), adapterFor(options));
  if (outcome.kind !== 'opened') throw new CommandFailed(String(outcome.message));
  const { agent, id, issues, conversation } = outcome.session;
  const { entries, agentContext } = conversation;
  if (options.json) printJson({ agent, id, entries: entries.length, inContext: agentContext.length, issues });
  else {
    const name = agentNames[agent];
    const read = `${name} · ${entries.length} messages were read, ${agentContext.length} are in the context`;
    const lines = issues.map((issue) => `${issue.file}:${issue.line}: ${issue.message}`);
    const next = canFork(agent) ? [`A whole session: strata fork --mend ${file}`] : [];
    print([read, ...(issues.length === 0 ? ['Nothing is wrong with this file.'] : [...lines, ...next])].join('\n'));
  }
  if (issues.length > 0)
    throw new CommandFailed(`${file} has ${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`);
}
