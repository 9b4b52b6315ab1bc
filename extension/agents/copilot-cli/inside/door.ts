import { transcriptOf } from '../../../inside/carried';
import type { AgentDoor } from '../../../inside/door';

/** The prompt of `clearContext`: the first message of the context with which Copilot continues. */
export const copilotCliDoor: AgentDoor = {
  agent: 'copilot-cli',
  result: ({ pieces }) => ({ prompt: transcriptOf(pieces) }),
};
