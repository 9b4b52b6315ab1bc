import { join } from 'node:path';
import { projectFolder } from '../paths.ts';
import { isExecutable } from '../processes/find-program.ts';

/** code-server's `engines.node`. */
const SERVER_NODE_MAJOR = '24';

/** The Node that runs VS Code's server: ours if it is the right one, else the project's development dependency. */
export function nodeForServer(): string {
  if (process.versions.node.split('.')[0] === SERVER_NODE_MAJOR) return process.execPath;
  const dependency = join(projectFolder, 'node_modules/.bin/node');
  if (isExecutable(dependency)) return dependency;
  throw new Error(`The browser editor needs Node ${SERVER_NODE_MAJOR}, and ${dependency} is missing: run "npm ci".`);
}
