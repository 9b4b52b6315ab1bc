import { ask } from './ask.js';

const agent = 'opencode';
const actions = ['status', 'preview', 'pin', 'why', 'undo'];
const help = '/strata status | preview | pin TEXT | why | undo';

/** Thrown to end a command whose answer is already in the session. */
export class CommandAnswered extends Error {
  name = 'CommandAnswered';
  message = 'Strata answered.';
}

/** `/strata`: its answer is a message that the person sees and the model does not. Never rejects. */
export async function strataCommand(place, words = '') {
  const [, name = '', text = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const action = name === '' ? 'status' : name;
  try {
    if (!actions.includes(action)) return await write(place, { text: help, ignored: true });
    const answer = await ask(action, agent, { session: place.session, text });
    if (answer.again) await goBack(place, answer.again);
    await write(place, { text: answer.message, ignored: true });
  } catch {
    // The session takes no message now.
  }
}

/**
 * Reverts the session to before the compaction if no message followed it; otherwise repeats what the compaction
 * removed.
 */
async function goBack(place, again) {
  const { client, directory, session } = place;
  const { data: messages = [] } = await client.session.messages({ path: { id: session }, query: { directory } });
  const at = messages.findLastIndex(({ parts }) => parts.some(({ type }) => type === 'compaction'));
  const wentOn = messages.slice(at + 1).some(({ info, parts }) => info.role === 'user' && parts.some(isTyped));
  if (at < 0 || wentOn) return await write(place, { text: again, synthetic: true });
  const body = { messageID: messages[at].info.id };
  await client.session.revert({ path: { id: session }, query: { directory }, body, throwOnError: true });
}

/** Whether the person typed it for the model: not an answer of Strata, and not the agent's own request to continue. */
function isTyped({ type, ignored, synthetic }) {
  return type === 'text' && !ignored && !synthetic;
}

async function write({ client, directory, session }, part) {
  const body = { noReply: true, parts: [{ type: 'text', ...part }] };
  await client.session.prompt({ path: { id: session }, query: { directory }, body });
}
