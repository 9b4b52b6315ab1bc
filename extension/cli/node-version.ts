import { engines } from '../../package.json';

const oldest = Number(/\d+/.exec(engines.node));

/** The error message if Node.js is older than `engines` in package.json allows; otherwise null. */
export function nodeFault(version: string): string | null {
  if (Number.parseInt(version, 10) >= oldest) return null;
  return `Strata needs Node.js ${oldest} or newer. This is Node.js ${version}.`;
}
