import { Inspection } from '../../inspection/inspection';
import { openJournal } from '../../inspection/journal-store';
import type { ToolSurroundings, ToolTarget } from '../../inspection/tools/tool';
import { adapters } from '../../sessions/adapters';
import { SessionCatalogue } from '../../sessions/catalogue/catalogue';
import { openSession } from '../../sessions/open';
import type { SessionSummary } from '../../sessions/session';
import { recallToolOf } from '../setup/installed';
import { allProjectsText, type Caller, chooseSession, sessionsInReach } from './which-session';

interface McpServices extends Pick<ToolSurroundings, 'embedder' | 'warn' | 'askForCompaction'> {
  readonly caller: Caller;
  /** The folder of the journals. */
  readonly journals: string;
  readonly fallbackWindow: number;
}

/** A session could not be opened. The message names its file. */
class SessionNotOpened extends Error {
  override name = 'SessionNotOpened';
}

/** Limits the time of a call. Older sessions can be opened in the inspector. */
const maxFound = 300;

/** The surroundings of the tools in a process that an agent started. */
export function mcpSurroundings(services: McpServices): ToolSurroundings {
  const { caller, embedder, warn, askForCompaction } = services;
  const catalogue = new SessionCatalogue(caller.environment, { adapters });
  const sessions = async () => {
    const { sessions: found, issues } = await catalogue.scan(maxFound);
    for (const issue of issues) warn(`${issue.file}: ${issue.message}`);
    return await sessionsInReach(found, caller);
  };
  const reach = caller.allProjects ? ` ${allProjectsText}` : '';
  return {
    ...{ sessions, embedder, warn, askForCompaction, reach },
    targetOf: async (asked) => {
      const { session, about } = await chooseSession(asked, await sessions(), caller);
      return { inspection: await opened(session, services), about: about + reach } satisfies ToolTarget;
    },
    openFolders: () => [caller.folder],
    change: (inspection, act) => act(inspection),
    // The panel follows the journal and shows what is proposed there.
    announceProposal: () => undefined,
  };
}

async function opened(found: SessionSummary, services: McpServices): Promise<Inspection> {
  const { environment } = services.caller;
  const outcome = await openSession(found.file, { environment });
  if (outcome.kind !== 'opened') throw new SessionNotOpened(String(outcome.message));
  const { agent, id, file } = outcome.session;
  const journal = await openJournal(services.journals, { agent, id, file });
  for (const issue of journal.issues) services.warn(`${issue.file}:${issue.line}: ${issue.message}`);
  const inspection = await Inspection.of(outcome.session, journal, services.fallbackWindow);
  inspection.recallTool = await recallToolOf(agent, environment);
  return inspection;
}
