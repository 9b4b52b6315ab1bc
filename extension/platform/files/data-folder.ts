import { isAbsolute, join } from 'node:path';
import type { AgentEnvironment } from './environment';

/** Where the programs of a person keep their data, by the XDG base directory rules: a relative path is ignored. */
export function dataFolder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  const folder = variables.XDG_DATA_HOME;
  return folder !== undefined && isAbsolute(folder) ? folder : join(home, '.local', 'share');
}
