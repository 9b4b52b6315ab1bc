import { joinSession } from '@github/copilot-sdk/extension';
import { ask } from './ask.js';

/*
 * Thin on purpose: it hands requests to Strata and returns what the answers say. If anything fails, Copilot continues by itself,
 * and compacts when its context is full.
 */

const agent = 'copilot-cli';
const actions = ['status', 'preview', 'compact', 'pin', 'why', 'undo'];
const help = '/strata status | preview | compact | pin TEXT | why | undo';

const asked = (action, request = {}) => ask(action, agent, { session: session.sessionId, ...request });

const session = await joinSession({
  tools: [
    {
      name: 'strata_compact',
      description:
        'Compacts this conversation with Strata: old work gives way to a short account of it, what is pinned ' +
        'stays word for word. Call it when the context is large and a part of the work is done, or when the user asks.',
      parameters: {
        type: 'object',
        properties: { instructions: { type: 'string', description: 'What the account should focus on' } },
      },
      skipPermission: true,
      handler: ({ instructions }) => compact(instructions ?? null),
    },
  ],
  commands: [
    {
      name: 'strata',
      description: `What Strata does at the next compaction, and what it did at the last one: ${actions.join(', ')}`,
      handler: async ({ args = '' }) => {
        const [, name = '', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
        const action = name === '' ? 'status' : name;
        if (!actions.includes(action)) return await tell(help);
        // Copilot allows clearing the context only while a tool of the model runs.
        if (action === 'compact')
          return void (await session.send({ prompt: `Call the tool strata_compact now. ${text}` }));
        const answer = await asked(action, { text });
        await tell(answer.message);
        if (answer.again) await session.send({ prompt: answer.again });
      },
    },
  ],
});

void asked('hello');

/** Replaces the context by Strata's text and reports the outcome. Never rejects. */
async function compact(instructions) {
  const answer = await asked('compact', { instructions });
  if (answer.kind !== 'compacted') return `${answer.message} Nothing was compacted; go on as before.`;
  try {
    await session.rpc.history.clearContext({ prompt: answer.result.prompt });
  } catch (error) {
    await asked('undo');
    return `Strata: Copilot refused (${error?.message ?? error}). Nothing was compacted; go on as before.`;
  }
  await tell(answer.message);
  return answer.message;
}

async function tell(message) {
  try {
    await session.log(message);
  } catch {
    // No screen shows the notice.
  }
}
