import type { Agent } from '../agent';
import { copilotCli } from '../copilot-cli';
import { spoken } from '../wire/utterance';
import { type CompactingAgent, describeInside } from './every-plugin';

/** Loads extensions; where a prompt says SUBAGENT, the model calls Strata's tool. */
const withExtensions: Agent = {
  ...copilotCli,
  tools: (place) => ({ ...copilotCli.tools(place), delegate: () => ({ name: 'strata_compact', input: {} }) }),
  prompt: (text) => ({ words: ['--experimental', ...copilotCli.prompt(text).words] }),
  resume: (session, text) => ({ words: ['--experimental', ...(copilotCli.resume?.(session, text).words ?? [])] }),
};

const copilotInside: CompactingAgent = {
  agent: withExtensions,
  commandFile: 'command.js',
  says: (inside, session, text) => inside.run(withExtensions.resume?.(session, text) ?? { words: [] }),
  carried: ({ result }) => copilotCli.asKept?.(spoken('user', (result as { prompt: string }).prompt)) ?? [],
  byHand: (inside, session) => copilotInside.says(inside, session, 'TOOLS=1 SUBAGENT compact now'),
  // Its own compaction cannot be replaced: the tool says so, and a person has it compact.
  alone: async (inside, session) => {
    await copilotInside.byHand(inside, session);
    await copilotInside.says(inside, session, '/compact');
  },
};

await describeInside(copilotInside);
