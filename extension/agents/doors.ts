import { claudeCodeDoor } from './claude-code/door';
import { copilotCliDoor } from './copilot-cli/door';
import type { AgentDoor } from './door';
import { openCodeDoor } from './opencode/door';
import { piDoor } from './pi/door';

export const doors: readonly AgentDoor[] = [claudeCodeDoor, copilotCliDoor, openCodeDoor, piDoor];

export function doorOf(agent: string): AgentDoor | undefined {
  return doors.find((door) => door.agent === agent);
}
