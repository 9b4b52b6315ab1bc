import { serveMcp } from '../inside/mcp/server';
import { mcpSurroundings } from '../inside/mcp/surroundings';
import { prepareOnRequest } from '../inside/mcp/wish';
import { localEmbedder } from '../models/embeddings/local';
import type { AgentId } from '../sessions/session';
import { servicesFor } from './agent';
import { warn } from './output';
import { strataVersion } from './version';

export interface McpCommandOptions {
  /** The agent that starts the server. */
  readonly agent?: AgentId;
  /** Only if the person chose one. */
  readonly journal?: string;
  readonly session?: string;
  /** Sessions of other projects too. */
  readonly allProjects?: boolean;
}

/** Serves until the agent closes standard input. Standard output belongs to the protocol; warnings go to standard error. */
export async function mcp({ journal, agent, session, allProjects = false }: McpCommandOptions): Promise<void> {
  const chosen = journal === undefined ? {} : { journal };
  const { environment, journals, settings } = await servicesFor(chosen);
  const caller = { folder: process.cwd(), parent: process.ppid, environment, allProjects };
  const surroundings = mcpSurroundings({
    caller: { ...caller, agent: agent ?? null, session: session ?? null },
    ...{ journals, warn, embedder: localEmbedder },
    fallbackWindow: settings().fallbackContextWindow,
    // Settings may change while an agent runs for days.
    askForCompaction: async ({ inspection }) => await prepareOnRequest(inspection, await servicesFor(chosen)),
  });
  const { close } = serveMcp({ version: strataVersion, surroundings, warn });
  await new Promise((resolve) => process.stdin.once('close', resolve));
  await close();
}
