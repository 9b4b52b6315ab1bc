import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '../files/text-of';
import { asName } from '../records/json';
import { readLine } from '../records/line';

/** The folder of a window, from the `workspace.json` next to the folder with its chats. Empty windows have no such file. */
export async function workspaceFolder(file: string): Promise<string | null> {
  // An unreadable file only means that the folder is unknown.
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
    // The folder is on another machine or operating system.
    return null;
  }
}
