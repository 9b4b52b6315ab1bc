import { createInterface } from 'node:readline/promises';

/** The terminal on which questions are asked and answered. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

const standardTerminal: Terminal = { input: process.stdin, output: process.stdout };

/** Whether a person sees the output and can answer. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** False at the end of input, and for every answer but yes. */
export async function confirmed(question: string, terminal: Terminal = standardTerminal): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askLine(`${question} [y/N] `, terminal)) ?? '');
}

/** The line that the person enters; null at the end of input. */
export async function askLine(
  question: string,
  { input, output }: Terminal = standardTerminal,
): Promise<string | null> {
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  try {
    return (await lines.question(question, { signal: ended.signal })).trim();
  } catch (error) {
    if (ended.signal.aborted) return null;
    throw error;
  } finally {
    lines.close();
  }
}
