import { join } from 'node:path';
import { projectFolder } from '../paths.ts';
import { isExecutable } from '../processes/find-program.ts';

/** code-server's `engines.node`. */
const SERVER_NODE_MAJOR = '24';

/** The npm package with the Node.js that VS Code 1.104 uses; with a newer one its extension host hangs. */
export const OLDER_NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
export const OLDER_NODE_VERSION = '22';

/** The path of the older Node.js, in the folder of the editor that needs it. */
export function olderNodeIn(installed: string): string {
  return join(installed, 'node_modules', OLDER_NODE_PACKAGE, 'bin/node');
}

/**
 * The Node.js that runs VS Code's server: the current one if its version fits, otherwise the project's development
 * dependency.
 */
export function nodeForServer(): string {
  if (process.versions.node.split('.')[0] === SERVER_NODE_MAJOR) return process.execPath;
  const dependency = join(projectFolder, 'node_modules/.bin/node');
  if (isExecutable(dependency)) return dependency;
  throw new Error(`The browser editor needs Node ${SERVER_NODE_MAJOR}, and ${dependency} is missing: run "npm ci".`);
}
