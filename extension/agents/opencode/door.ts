import { toldText } from '../carried';
import type { AgentDoor } from '../door';

/** The text of the message that OpenCode stores as its summary, and sends in the place of everything before it. */
export const openCodeDoor: AgentDoor = {
  agent: 'opencode',
  result: ({ pieces }) => ({ summary: toldText(pieces) }),
};
