import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FoundAgent } from './found-agents';

/** Whether the agent itself sees what was set up. */
export type CheckOutcome =
  | { readonly kind: 'seen' }
  | { readonly kind: 'not-seen'; readonly command: string; readonly output: string }
  /** There is no such command, or no program to ask. */
  | { readonly kind: 'not-checked' };

/** Agents start the server to see whether it answers. In milliseconds. */
const patience = 60_000;

/** Asks the agent by its own command. Never rejects. */
export async function checkAgent({ setup, program }: FoundAgent, folder: string): Promise<CheckOutcome> {
  if (setup.check === undefined || program === null) return { kind: 'not-checked' };
  const { words, expected } = setup.check;
  const output = await outputOf(program, words, folder);
  if (expected.test(output)) return { kind: 'seen' };
  return { kind: 'not-seen', command: [setup.programs[0], ...words].join(' '), output: output.trim() };
}

async function outputOf(program: string, words: readonly string[], folder: string): Promise<string> {
  const options = { cwd: folder, timeout: patience, env: { ...process.env, NO_COLOR: '1' } };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, options);
    return withoutColours(`${stdout}${stderr}`);
  } catch (error) {
    return withoutColours(error instanceof Error ? error.message : String(error));
  }
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
