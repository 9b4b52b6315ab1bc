import { ask } from './ask.js';
import { CommandAnswered, strataCommand } from './commands.js';
import { answers, ownModel, tokenIn } from './engine.js';

/*
 * Thin on purpose: it hands requests to Strata and returns what the answers say. Whatever fails, OpenCode's own model
 * writes the summary.
 */

const agent = 'opencode';
const description = 'What Strata does at the next compaction, and what it did at the last one';
/** Characters of tool output after which old output is checked again: about 10,000 tokens. */
const lookAfter = 40_000;

export const Strata = async ({ client, directory }) => {
  /** By session: the length of its tool output at the last check, and the new texts of calls. */
  const cleared = new Map();

  return {
    /** Makes the compaction agent use Strata's model and keep only its text. */
    config: async (config) => {
      const model = { name: 'Strata', limit: { context: 1_000_000, output: 100_000 } };
      const npm = new URL('./engine.js', import.meta.url).href;
      config.provider = { ...config.provider, strata: { npm, name: 'Strata', models: { engine: model } } };
      config.agent = { ...config.agent, compaction: { ...config.agent?.compaction, model: 'strata/engine' } };
      config.compaction = { ...config.compaction, tail_turns: 0 };
      config.command = { ...config.command, strata: { description, template: '/strata $ARGUMENTS' } };
    },

    /** A throw is the only way to end a command here without asking the model. */
    'command.execute.before': async ({ command, sessionID: session, arguments: words }) => {
      if (command !== 'strata') return;
      await strataCommand({ client, directory, session }, words);
      throw new CommandAnswered();
    },

    event: async ({ event }) => {
      if (event.type === 'session.created') void ask('hello', agent, { session: event.properties.info.id });
    },

    'experimental.session.compacting': async ({ sessionID: session }, output) => {
      const answer = await ask('compact', agent, { session });
      const isOurs = answer.kind === 'compacted';
      await tell(client, isOurs ? answer.message : `${answer.message} OpenCode compacts by itself.`);
      const token = answers.keep(
        isOurs
          ? async () => answer.result.summary
          : (prompt) => ownSummary({ client, directory, session }, prompt, answer.again),
      );
      if (isOurs) output.prompt = token;
      else output.context.push(...[answer.instructions ?? '', token].filter((text) => text !== ''));
    },

    'experimental.chat.messages.transform': async (_input, { messages }) => {
      try {
        await clearIn(messages, cleared);
      } catch {
        // The messages stay as they are.
      }
    },
  };
};

/** The summary by the session's model, followed by the pinned items; if that fails, Strata's own without a model. */
async function ownSummary({ client, directory, session }, prompt, again) {
  try {
    const text = await ownModel(client, directory, session, prompt);
    return again ? `${text}\n\n${again}` : text;
  } catch (error) {
    const answer = await ask('compact', agent, { session, ownFailed: true });
    if (answer.kind !== 'compacted') throw error;
    await tell(client, answer.message);
    return answer.result.summary;
  }
}

async function clearIn(messages, cleared) {
  const session = messages.at(-1)?.info?.sessionID;
  if (session === undefined || tokenIn(JSON.stringify(messages.at(-1)?.parts ?? []))) return;
  const outputs = messages.flatMap(({ parts }) => parts.filter(isFinished));
  const length = outputs.reduce((sum, { state }) => sum + state.output.length, 0);
  const seen = cleared.get(session) ?? { length: 0, texts: new Map() };
  if (length >= seen.length + lookAfter) {
    const answer = await ask('clear', agent, { session });
    seen.length = length;
    if (answer.kind === 'cleared') for (const { call, text } of answer.results) seen.texts.set(call, text);
    cleared.set(session, seen);
  }
  for (const { callID, state } of outputs) state.output = seen.texts.get(callID) ?? state.output;
}

function isFinished({ type, state }) {
  return type === 'tool' && state?.status === 'completed' && typeof state.output === 'string';
}

async function tell(client, message) {
  try {
    await client.tui.showToast({ body: { message, variant: 'info' } });
  } catch {
    // No screen shows the notice.
  }
}
