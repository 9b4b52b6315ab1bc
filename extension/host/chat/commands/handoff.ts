import * as vscode from 'vscode';
import { OperationRefused } from '../../../inspection/inspection';
import { chatCommandIds } from '../../command-ids';
import { draftFor } from '../../compaction/hand-off';
import type { ChatCall } from '../chat-services';

/** `/handoff [goal]`: a draft for a new chat with what matters from this one. The person sends it. */
export async function draftNextChat({ services, stream, signal, chat }: ChatCall, asked: string): Promise<void> {
  const { workbench } = chat.conversation;
  const goal = asked === '' ? liveGoal(workbench) : asked;
  stream.progress(vscode.l10n.t('Drafting'));
  const { summarizer } = await services.inspector.tools('manual');
  const draft = await draftFor(workbench, goal, summarizer, signal);
  stream.markdown(`${vscode.l10n.t('A draft for the next chat. It is yours to edit.')}\n\n${fenced(draft)}\n`);
  const open = vscode.l10n.t('Open in a New Chat');
  stream.button({ command: chatCommandIds.openDraft, title: open, arguments: [draft] });
  stream.button({ command: chatCommandIds.editDraft, title: vscode.l10n.t('Edit as a Document'), arguments: [draft] });
}

/** Without an argument, the new chat keeps the current goal. */
function liveGoal({ core, originalGoal }: ChatCall['chat']['conversation']['workbench']): string {
  const goal = core?.current_goal ?? originalGoal?.text;
  if (goal === undefined) throw new OperationRefused(vscode.l10n.t('Nothing was said in this chat yet.'));
  return goal;
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}markdown\n${text}\n${fence}`;
}
