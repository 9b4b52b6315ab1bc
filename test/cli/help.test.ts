import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { strataProgram } from '../../extension/cli/whole-program';

/** Number of lines that a person sees at once, in a terminal of 80 columns. */
const screen = 50;

function commandsIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsIn)];
}

it('the help of each command fits on one screen', () => {
  const lines = commandsIn(strataProgram()).map(
    (command) => [command.name(), command.helpInformation().trimEnd().split('\n').length] as const,
  );
  expect(lines.length).toBeGreaterThan(35);
  expect(lines.filter(([, count]) => count > screen)).toEqual([]);
});
