import { ask } from './ask.js';
import { NextRequest } from './next-request.js';

/*
 * Thin on purpose: it hands the messages of each request to Strata and returns what the answer says. Whatever fails, Cline
 * sends its own messages, and compacts them itself when they are too many. Cline fails a run where this throws.
 */

const agent = 'cline';
const actions = ['status', 'preview', 'compact', 'pin', 'why', 'undo'];
const help = '/strata status | preview | compact | pin TEXT | why | undo';

export default {
  name: 'strata',
  manifest: { capabilities: ['messageBuilders', 'commands'] },
  setup(api, { session: { sessionId } = {}, logger } = {}) {
    // A plugin loaded for its commands only does not get the session; the newest one in the folder is meant.
    const named = { session: sessionId ?? null, folder: process.cwd() };
    const asked = (action, request = {}) => ask(action, agent, { ...request, ...named });
    const next = new NextRequest((messages) => asked('context', { trigger: 'automatic', messages }), tell(logger));

    api.registerMessageBuilder({ name: 'strata', build: (messages) => next.of(messages) });

    api.registerCommand({
      name: 'strata',
      description: `What Strata did to this context, and what it would do: ${actions.join(', ')}`,
      handler: async (input = '') => {
        const [, name = '', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(input) ?? [];
        const action = name === '' ? 'status' : name;
        if (!actions.includes(action)) return help;
        const answer = await asked(action, { text });
        next.forget();
        return answer.message;
      },
    });
  },
};

/** A plugin cannot write into the conversation of a person. */
function tell(logger) {
  return (message) => {
    try {
      logger?.log(message);
    } catch {
      // No screen shows the notice.
    }
  };
}
