import { joinSession } from '@github/copilot-sdk/extension';
import { ask } from './ask.js';

/*
 * Thin on purpose: it hands requests to Strata and returns what the answers say. Whatever fails, Copilot goes on by itself,
 * and compacts when its context is full.
 */

const agent = 'copilot-cli';
const actions = ['status', 'preview', 'pin', 'why', 'undo'];

const asked = (action, request = {}) => ask(action, agent, { session: session.sessionId, ...request });

const session = await joinSession({
  tools: [
    {
      name: 'strata_compact',
      description:
        'Compacts this conversation with Strata, without a model: old work gives way to a short account of it, what is pinned ' +
        'stays word for word. Call it when the context is large and a part of the work is done, or when the user asks.',
      parameters: {
        type: 'object',
        properties: { instructions: { type: 'string', description: 'What the account should focus on' } },
      },
      skipPermission: true,
      handler: async ({ instructions }) => {
        const answer = await asked('compact', { instructions: instructions ?? null });
        if (answer.kind !== 'compacted') return `${answer.message} Nothing was compacted; go on as before.`;
        try {
          await session.rpc.history.clearContext({ prompt: answer.result.prompt });
        } catch (error) {
          return `Strata: Copilot refused (${error?.message ?? error}). Nothing was compacted; go on as before.`;
        }
        return answer.message;
      },
    },
  ],
  commands: [
    {
      name: 'strata',
      description: `What Strata does at the next compaction, and what it did at the last one: ${actions.join(', ')}`,
      handler: async ({ args = '' }) => {
        const [, name = '', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
        const action = name === '' ? 'status' : name;
        if (!actions.includes(action)) return await tell('/strata status | preview | pin TEXT | why | undo');
        const answer = await asked(action, { text });
        await tell(answer.message);
        if (answer.again) await session.send({ prompt: answer.again });
      },
    },
  ],
});

void asked('hello');

async function tell(message) {
  try {
    await session.log(message);
  } catch {
    // Nobody is there to read it.
  }
}
