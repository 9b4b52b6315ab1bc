import type { Agent } from '../agent';
import { copilotCli } from '../copilot-cli';
import { spoken } from '../wire/utterance';
import { type CompactingAgent, describeInside } from './every-plugin';

let isAskedToCompact = false;

/**
 * Copilot with extensions. If a prompt contains SUBAGENT, the model calls Strata's tool, but only once, although the
 * prompt stays in the context.
 */
const withExtensions: Agent = {
  ...copilotCli,
  tools: (place) => ({
    ...copilotCli.tools(place),
    delegate: () => {
      const call = isAskedToCompact ? { name: 'strata_compact', input: {} } : copilotCli.tools(place).look;
      isAskedToCompact = false;
      return call;
    },
  }),
  prompt: (text) => ({ words: ['--experimental', ...copilotCli.prompt(text).words] }),
  resume: (session, text) => ({ words: ['--experimental', ...(copilotCli.resume?.(session, text).words ?? [])] }),
};

const copilotInside: CompactingAgent = {
  agent: withExtensions,
  commandFile: 'command.js',
  // Commands work only in a terminal, where Copilot first asks whether the folder is trusted. An undo is sent as a
  // prompt.
  says: (inside, { id }, text) =>
    inside.inTerminal(
      [
        '--experimental',
        '--allow-all-tools',
        '--allow-all-paths',
        '--disable-builtin-mcps',
        `--resume=${id}`,
        '-i',
        text,
      ],
      [
        { after: /1\. Yes/, keys: '\r' },
        { after: /Undone: the/, keys: '' },
      ],
      /after \d+ steps/,
    ),
  carried: ({ result }) => copilotCli.asKept?.(spoken('user', (result as { prompt: string }).prompt)) ?? [],
  byHand: async (inside, session) => {
    isAskedToCompact = true;
    await inside.run(withExtensions.resume?.(session, 'TOOLS=1 SUBAGENT compact now') ?? { words: [] });
  },
  // Copilot's own compaction cannot be replaced: the tool says so, and a person starts it.
  alone: async (inside, session) => {
    await copilotInside.byHand(inside, session);
    await inside.run(withExtensions.resume?.(session, '/compact') ?? { words: [] });
  },
};

await describeInside(copilotInside);
