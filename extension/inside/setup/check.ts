import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FoundAgent } from './found-agents';

/** Whether the agent itself finds what was set up. */
export type CheckOutcome =
  | { readonly kind: 'seen' }
  | { readonly kind: 'not-seen'; readonly command: string; readonly output: string }
  /** Its command did not end in time. */
  | { readonly kind: 'no-answer'; readonly command: string; readonly seconds: number }
  /** Its program was not found. */
  | { readonly kind: 'not-checked' };

/** Maximum time in milliseconds: agents start the server to see whether it answers. */
const patience = 60_000;

/** Checks with the agent's own command. Never rejects. */
export async function checkAgent({ setup, program }: FoundAgent, folder: string): Promise<CheckOutcome> {
  if (program === null) return { kind: 'not-checked' };
  const { words = ['mcp', 'list'], expected } = setup.check;
  const command = [setup.programs[0], ...words].join(' ');
  const output = await outputOf(program, words, folder);
  if (output === null) return { kind: 'no-answer', command, seconds: patience / 1000 };
  return expected.test(output) ? { kind: 'seen' } : { kind: 'not-seen', command, output: output.trim() };
}

/** Null if it did not end in time. */
async function outputOf(program: string, words: readonly string[], folder: string): Promise<string | null> {
  const options = { cwd: folder, timeout: patience, env: { ...process.env, NO_COLOR: '1' } };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, options);
    return withoutColours(`${stdout}${stderr}`);
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed) return null;
    return withoutColours(error instanceof Error ? error.message : String(error));
  }
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
