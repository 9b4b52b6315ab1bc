import { transcriptOf } from '../../../inside/carried';
import type { AgentDoor } from '../../../inside/door';

/** The text of the message that OpenCode stores as its summary, and sends in the place of everything before it. */
export const openCodeDoor: AgentDoor = {
  agent: 'opencode',
  result: ({ pieces }) => ({ summary: transcriptOf(pieces.at(-1)?.text === request ? pieces.slice(0, -1) : pieces) }),
};

/** The user message that OpenCode puts before its summary. */
const request = 'What did we do so far?';
