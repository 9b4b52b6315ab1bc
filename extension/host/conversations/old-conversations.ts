import type * as vscode from 'vscode';
import { conversationFiles, deleteConversation, nameOf } from '../../conversations/shelves/conversation-files';
import { isPrunable } from '../../conversations/shelves/prunable';
import { readSetting } from '../settings';

const dayMs = 24 * 3_600_000;

/** Deletes conversations that were not written to for as long as the setting says, at the start and once a day. */
export class OldConversations {
  readonly #daily: NodeJS.Timeout;

  constructor(
    private readonly folder: string,
    private readonly log: Pick<vscode.LogOutputChannel, 'info' | 'error'>,
  ) {
    this.#daily = setInterval(() => void this.prune(), dayMs);
    void this.prune();
  }

  async prune(): Promise<void> {
    const days = readSetting<number>('conversations.keepDays', 0);
    if (days <= 0) return;
    try {
      const old = (await conversationFiles(this.folder)).filter((each) =>
        isPrunable(each, { olderThan: days * dayMs }, Date.now()),
      );
      for (const each of old) {
        await deleteConversation(each);
        this.log.info(`Deleted the conversation ${nameOf(each)}: strata.conversations.keepDays is ${days}.`);
      }
    } catch (error) {
      this.log.error('Old conversations could not be deleted', error);
    }
  }

  dispose(): void {
    clearInterval(this.#daily);
  }
}
