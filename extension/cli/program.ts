import { type Command, CommanderError } from 'commander';
import { visibleText } from '../protocol/visible-text';
import { closeAtEnd } from './at-end';
import { CommandFailed, exitCodes } from './command-failed';
import { warn } from './output';
import { readingProgram } from './reading-program';

/** Runs the command with the arguments after its name. Resolves to the exit code. */
export async function runStrata(args: readonly string[]): Promise<number> {
  try {
    const program = await programFor(args);
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.success;
  } catch (error) {
    return exitCodeOf(error);
  } finally {
    await closeAtEnd();
  }
}

/** Loading all commands takes longer than reading a session does. */
async function programFor(args: readonly string[]): Promise<Command> {
  const program = readingProgram();
  // Parsed with a separate program, because options keep their values between runs.
  const [name] = readingProgram().parseOptions([...args]).operands;
  if (program.commands.some((command) => command.name() === name)) return program;
  return (await import('./whole-program')).strataProgram();
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === exitCodes.success ? exitCodes.success : exitCodes.usage;
  if (error instanceof CommandFailed && error.isUsage) {
    process.stderr.write(`error: ${visibleText(error.message)}\n`);
    return exitCodes.usage;
  }
  warn(error instanceof Error ? error.message : String(error));
  return exitCodes.failed;
}
