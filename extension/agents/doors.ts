import { claudeCodeDoor } from './claude-code/door';
import type { AgentDoor } from './door';
import { piDoor } from './pi/door';

export const doors: readonly AgentDoor[] = [claudeCodeDoor, piDoor];

export function doorOf(agent: string): AgentDoor | undefined {
  return doors.find((door) => door.agent === agent);
}
