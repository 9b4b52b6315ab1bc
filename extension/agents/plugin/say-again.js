import { text } from 'node:stream/consumers';
import { ask } from './ask.js';

/*
 * A hook of agents that take no other text for their own summary: their summarizer is told what must stay word for word,
 * and after the compaction the core is said again, with what the summary left out. The word is the agent's id.
 */
const [agent] = process.argv.slice(2);
const { session_id: session, transcript_path: file, hook_event_name: event } = JSON.parse(await text(process.stdin));
const isBefore = event === 'PreCompact';
const { again = '' } = await ask(isBefore ? 'core' : 'reminder', agent, { session, file });
if (again !== '') {
  const additionalContext = isBefore ? `Keep this word for word:\n\n${again}` : again;
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } }));
}
