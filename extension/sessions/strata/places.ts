import { join } from 'node:path';

/** In the storage that VS Code gives the extension, in the data folder of the gateway, and wherever a library keeps its own. */
export const conversationsFolder = 'conversations';

/** Beside the folder of the conversations. */
export const journalsFolder = 'journals';

/** An id, or an agent's name, may have anything in it; a file name may not. */
export function safeName(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, 80);
}

/** Where a conversation is in a folder of them. */
export function conversationPath(conversations: string, id: string): string {
  return join(conversations, `${safeName(id)}.jsonl`);
}
