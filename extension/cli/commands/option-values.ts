import { CommanderError } from 'commander';
import { exitCodes } from '../command-failed';

export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Code of the error for a value that is not a whole number. */
export const notWhole = 'strata.number';

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new CommanderError(exitCodes.usage, notWhole, `error: "${text}" is not a whole number`);
}
