import { expect, it } from 'vitest';
import { nodeFault } from '../../extension/cli/node-version';

it('asks for Node.js 22.13 if an older one runs the command', () => {
  expect(nodeFault('20.20.2')).toBe('Strata needs Node.js 22.13 or newer. This is Node.js 20.20.2.');
  expect(nodeFault('8.17.0')).toBe('Strata needs Node.js 22.13 or newer. This is Node.js 8.17.0.');
  expect(nodeFault('22.12.1')).toBe('Strata needs Node.js 22.13 or newer. This is Node.js 22.12.1.');
});

it.each(['22.13.0', '24.0.0', '24.21.0', '100.0.0'])('runs the command with Node.js %s', (version) => {
  expect(nodeFault(version)).toBeNull();
});
