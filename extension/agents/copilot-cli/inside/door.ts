import { transcriptOf } from '../../../inside/carried';
import type { AgentDoor } from '../../../inside/door';

/** The prompt of `clearContext`: the first message of the context that Copilot goes on with. */
export const copilotCliDoor: AgentDoor = {
  agent: 'copilot-cli',
  result: ({ pieces }) => ({ prompt: transcriptOf(pieces) }),
};
