import { isAbsolute, join } from 'node:path';
import type { AgentEnvironment } from '../adapter';
import { asName } from '../records/json';

/** Where the programs of a person keep their data, by the XDG base directory rules: a relative path counts for nothing. */
export function dataFolder({ home, variables }: Pick<AgentEnvironment, 'home' | 'variables'>): string {
  const folder = asName(variables.XDG_DATA_HOME);
  return folder !== null && isAbsolute(folder) ? folder : join(home, '.local', 'share');
}
