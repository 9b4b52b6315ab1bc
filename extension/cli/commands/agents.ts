import { Argument, type Command } from 'commander';
import { doors } from '../../inside/doors';
import { type AgentAction, agentActions } from '../../inside/exchange';
import { askAgent, serveInside } from '../agent';
import { setup, setupAgentIds } from '../setup';

export function addAgents(program: Command): void {
  const agent = program.command('agent').description('answer Strata’s plugins inside agents');
  const journal = () => chosenJournal(program);
  for (const action of agentActions) {
    agent
      .command(action)
      .description(actionTexts[action])
      .addArgument(new Argument('<agent>', 'the agent').choices(doors.map((door) => door.agent)))
      .option('--session <id>', 'the session; without it the request is JSON on standard input')
      .option('--file <file>', 'the session’s file, if the id alone does not identify it')
      .option('--instructions <text>', 'what a compaction should focus on')
      .option('--text <text>', 'the text to pin')
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
  compact: 'compact the agent’s context; the answer is what the agent continues with',
  prepare: 'have the agent’s next compaction written ahead, if it is due',
  preview: 'show what the agent’s next compaction will do, and prepare it',
  context: 'print the context for the agent’s next request, compacted first if that is due',
  clear: 'replace old tool output of the agent by one line each',
  core: 'print the protected core, for agents that write their own summaries',
  reminder: 'print the core and what the agent’s own summary left out',
  status: 'show whether Strata is inside a session, and what is prepared',
  pin: 'pin a rule that must hold after every compaction',
  undo: 'undo the newest compaction in the agent',
  why: 'show what the newest compaction in the agent did, and what it lost',
};

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools for agents over the Model Context Protocol, on standard input and output')
    .summary('serve the tools for agents over MCP')
    .option('--session <id>', 'the session that calls refer to; by default the calling agent’s session in this folder')
    .option('--all-projects', 'let calls read and propose in the sessions of all projects, not only this one')
    .action(async (options) => {
      const { agent } = program.opts();
      await (await import('../mcp')).mcp({ agent, ...chosenJournal(program), ...options });
    });
}

export function addSetup(program: Command): void {
  program
    .command('setup')
    .description('set Strata up in the agents that are installed here; shows every change first')
    .summary('set Strata up in the agents of this machine')
    .addArgument(new Argument('[agents...]', 'only these agents').choices(setupAgentIds))
    .option('--remove', 'remove what was set up and restore every file')
    .option('--all-projects', 'let agents read the sessions of all projects through the server, not only their own')
    .option('--dry-run', 'show the changes without writing anything')
    .option('-y, --yes', 'do not ask')
    .action((agents, options) => setup(agents, options));
}

/** Empty unless the person chose one. Absent, it is the journals' folder of the editor if it has run, else the usual one. */
function chosenJournal(program: Command): { readonly journal?: string } {
  return program.getOptionValueSource('journal') === 'cli' ? { journal: String(program.opts().journal) } : {};
}
