import { join } from 'node:path';

/**
 * The folder's name in the extension's VS Code storage, in the gateway's data folder, and in the folders of programs that use the library.
 */
export const conversationsFolder = 'conversations';

/** Beside the folder of the conversations. */
export const journalsFolder = 'journals';

/** An id or an agent's name may contain any character; a file name may not. */
export function safeName(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, 80);
}

/** The path of a conversation's file. */
export function conversationPath(conversations: string, id: string): string {
  return join(conversations, `${safeName(id)}.jsonl`);
}
