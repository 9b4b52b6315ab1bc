import * as vscode from 'vscode';
import type { WriterOfferView } from '../../protocol/view';
import type { AgentId } from '../../sessions/session';
import { chatCommandIds, commandIds } from '../command-ids';
import { plain } from './markdown';

/** A preview that was made before anybody said who writes. */
export interface Unanswered {
  readonly agent: AgentId;
  /** The instructions that were given to `/compact`. */
  readonly instructions: string;
  /** The first is chosen beforehand in the panel, so it is the first button. */
  readonly offers: readonly WriterOfferView[];
}

/** The question of the panel, with a button for each answer. Until one is clicked, no model writes. */
export function askWhoWrites(
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
  { agent, instructions, offers }: Unanswered,
): void {
  const lines = [
    '',
    `**${vscode.l10n.t('Who writes the summaries?')}** ${vscode.l10n.t('This summary was written without a model. A model writes better ones; you will be asked until you choose.')}`,
    '',
    ...offers.map(({ label, costs, goes }) => `- **${plain(label)}**: ${plain(costs)}; ${plain(goes)}`),
    '',
  ];
  stream.markdown(`\n${lines.join('\n')}\n`);
  for (const { id, label } of offers) {
    stream.button({ command: chatCommandIds.answerWriter, title: label, arguments: [agent, id, instructions] });
  }
  stream.button({ command: commandIds.chooseSummarizer, title: vscode.l10n.t('Others…') });
}
