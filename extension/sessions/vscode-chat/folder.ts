import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '../files/text-of';
import { asName } from '../records/json';
import { readLine } from '../records/line';

/** The folder of a window, which VS Code writes beside the folder with its chats; windows without one have no such file. */
export async function workspaceFolder(file: string): Promise<string | null> {
  // A folder that cannot be told is no reason not to show the chat.
  const text = (await textOf(join(dirname(dirname(file)), 'workspace.json'))) ?? '';
  const reading = readLine({ number: 1, text });
  return reading.kind === 'record' ? folderAt(reading.record.folder) : null;
}

export function folderAt(address: unknown): string | null {
  const text = asName(address);
  if (text === null || !URL.canParse(text) || new URL(text).protocol !== 'file:') return null;
  try {
    return fileURLToPath(text);
  } catch {
    // A folder of another machine, or of another system, is no folder here.
    return null;
  }
}
