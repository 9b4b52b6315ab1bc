import { claudeCodeDoor } from './claude-code/door';
import { clineDoor } from './cline/door';
import { copilotCliDoor } from './copilot-cli/door';
import type { AgentDoor } from './door';
import { openCodeDoor } from './opencode/door';
import { piDoor } from './pi/door';

export const doors: readonly AgentDoor[] = [
  claudeCodeDoor,
  clineDoor,
  { agent: 'codex' },
  copilotCliDoor,
  openCodeDoor,
  piDoor,
  { agent: 'qwen-code' },
];

/** Whether a plugin in this agent can carry out compactions. */
export function takesCompactions(agent: string): boolean {
  return doorOf(agent)?.result !== undefined;
}

export function doorOf(agent: string): AgentDoor | undefined {
  return doors.find((door) => door.agent === agent);
}
