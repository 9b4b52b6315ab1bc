import { text } from 'node:stream/consumers';
import { ask } from './ask.js';

/*
 * A hook of agents that take no other text for their own summary: their summarizer is told what a summary needs and what
 * must stay word for word. After the compaction the core is said again, with what the summary left out, and one line tells the
 * person. The word is the agent's id.
 */
const [agent] = process.argv.slice(2);
const { session_id: session, transcript_path: file, hook_event_name: event } = JSON.parse(await text(process.stdin));
const isBefore = event === 'PreCompact';
const { again = '', instructions = '', message } = await ask(isBefore ? 'core' : 'reminder', agent, { session, file });
const additionalContext = isBefore ? instructions : again;
if (additionalContext !== '') {
  const shown = isBefore ? {} : { systemMessage: message };
  console.log(JSON.stringify({ ...shown, hookSpecificOutput: { hookEventName: event, additionalContext } }));
}
