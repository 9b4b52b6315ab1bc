import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from '../../../platform/files/text-of';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';

const workspaceFile = s.record({ folder: s.name });

/** The folder of a window, from the `workspace.json` next to the folder with its chats. Empty windows have no such file. */
export async function workspaceFolder(file: string): Promise<string | null> {
  // An unreadable file only means that the folder is unknown.
  const text = (await textOf(join(dirname(dirname(file)), 'workspace.json'))) ?? '';
  return folderAt(s.read(workspaceFile, parsedJson(text)).folder);
}

export function folderAt(address: string | null): string | null {
  if (address === null || !URL.canParse(address) || new URL(address).protocol !== 'file:') return null;
  try {
    return fileURLToPath(address);
  } catch {
    // The folder is on another machine or operating system.
    return null;
  }
}
