import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  type ConversationFiles,
  conversationFiles,
  deleteConversation,
} from '../../conversations/shelves/conversation-files';
import type { OwnConversationsView } from '../../protocol/own-conversations';
import { isConfirmed } from '../dialogs';
import type { SessionList } from '../opening/session-list';
import { relativeTime } from '../view/relative-time';
import { titleText } from '../view/session-text';

interface ConversationItem extends vscode.QuickPickItem {
  readonly files: ConversationFiles;
}

/** The number and size of Strata's own conversations in each place. */
export async function ownConversationsView(folder: string): Promise<OwnConversationsView> {
  const all = await conversationFiles(folder);
  return { count: all.length, size: sizeText(all), folder };
}

/** Lists Strata's own conversations with their sizes and, after a confirmation, deletes the selected ones. */
export async function manageConversations(folder: string, sessions: SessionList): Promise<void> {
  const all = (await conversationFiles(folder)).reverse();
  if (all.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('Strata keeps no conversations in {0}.', folder));
    return;
  }
  const picked = await vscode.window.showQuickPick(itemsOf(all, sessions), {
    canPickMany: true,
    title: vscode.l10n.t('{0} conversations of Strata, {1}, in {2}', all.length, sizeText(all), folder),
    placeHolder: vscode.l10n.t('Conversations to delete'),
    matchOnDescription: true,
  });
  if (!picked || picked.length === 0) return;
  const chosen = picked.map(({ files }) => files);
  if (!(await isAgreed(chosen))) return;
  for (const files of chosen) await deleteConversation(files);
  await sessions.refresh();
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Deleted {0} conversations, {1}.', chosen.length, sizeText(chosen)),
  );
}

async function itemsOf(all: readonly ConversationFiles[], sessions: SessionList): Promise<ConversationItem[]> {
  const titles = new Map((await sessions.read()).map((session) => [session.file, titleText(session)]));
  return all.map((files) => ({
    files,
    label: titles.get(files.conversation) ?? basename(files.conversation),
    description: [sizeText([files]), relativeTime(files.modified, Date.now(), vscode.env.language)].join(' · '),
  }));
}

function isAgreed(chosen: readonly ConversationFiles[]): Promise<boolean> {
  const question = vscode.l10n.t(
    'Delete {0} conversations ({1}) with their compactions and pins?',
    chosen.length,
    sizeText(chosen),
  );
  const detail = vscode.l10n.t('They cannot be restored. A chat that continues one of them starts a new one.');
  return isConfirmed(question, vscode.l10n.t('Delete'), detail);
}

function sizeText(conversations: readonly ConversationFiles[]): string {
  const bytes = conversations.reduce((total, each) => total + each.bytes, 0);
  const [amount, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return new Intl.NumberFormat(vscode.env.language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(amount);
}
