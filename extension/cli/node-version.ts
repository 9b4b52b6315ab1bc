import { engines } from '../../package.json';

const [, oldest = '', major = '', minor = ''] = /((\d+)\.(\d+))/.exec(engines.node) ?? [];

/** The error message if Node.js is older than `engines` in package.json allows; otherwise null. */
export function nodeFault(version: string): string | null {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  if (ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))) return null;
  return `Strata needs Node.js ${oldest} or newer. This is Node.js ${version}.`;
}
