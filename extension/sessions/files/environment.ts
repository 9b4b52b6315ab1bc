import { homedir } from 'node:os';
import type { AgentEnvironment } from '../adapter';

/** The home folder and variables of this process. */
export function processEnvironment(): AgentEnvironment {
  return { home: homedir(), variables: process.env };
}
