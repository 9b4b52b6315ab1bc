import { text } from 'node:stream/consumers';
import { ask } from './ask.js';

/*
 * Where Claude Code compacts by itself: its summarizer is told what must stay word for word, and after the compaction it
 * is said again, unless it stands in the context already.
 */
const { session_id: session, transcript_path: file, hook_event_name: event } = JSON.parse(await text(process.stdin));
const { again = '' } = await ask('core', 'claude-code', { session, file });
if (again !== '' && event === 'PreCompact') console.log(`Keep this word for word:\n\n${again}`);
else if (again !== '') {
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: again } }));
}
