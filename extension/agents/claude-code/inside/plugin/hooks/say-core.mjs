import { text } from 'node:stream/consumers';
import { ask } from './ask.js';

/*
 * Where Claude Code compacts by itself: its summarizer is told what a summary needs and what must stay word for word. After
 * the compaction that is said again, with what the summary left out.
 */
const { session_id: session, transcript_path: file, hook_event_name: event } = JSON.parse(await text(process.stdin));
const isBefore = event === 'PreCompact';
const answer = await ask(isBefore ? 'core' : 'reminder', 'claude-code', { session, file });
const { again = '', instructions = '', done } = answer;
if (isBefore && instructions !== '') console.log(instructions);
else if (!isBefore) {
  const said = again === '' ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: again } };
  // The screen is redrawn after the compaction, so what was logged before is gone.
  console.log(JSON.stringify({ ...said, systemMessage: done }));
}
