import { claudeCodeDoor } from '../agents/claude-code/inside/door';
import { clineDoor } from '../agents/cline/inside/door';
import { copilotCliDoor } from '../agents/copilot-cli/inside/door';
import { openCodeDoor } from '../agents/opencode/inside/door';
import { piDoor } from '../agents/pi/inside/door';
import type { AgentDoor } from './door';

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
