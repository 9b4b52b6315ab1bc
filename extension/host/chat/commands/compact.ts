import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { blockForm } from '../../../engine/conversation/context';
import { calibratedLoss, lossText } from '../../../engine/run/prepare/loss-text';
import type { PreparedRun } from '../../../engine/run/prepare/prepared-run';
import { recordsInContext } from '../../../engine/run/prepare/run-blocks';
import { tokensText } from '../../../engine/wording/tokens-text';
import type { WriterOfferView } from '../../../protocol/view';
import type { AgentId } from '../../../sessions/session';
import { chatCommandIds, commandIds } from '../../command-ids';
import { prepareAsSet } from '../../compaction/compaction-order';
import { translated } from '../../failures/failure-text';
import { compactionSize, previewPatience } from '../../models/compaction-size';
import { isSummarizerChosen } from '../../models/model-settings';
import { readWriters } from '../../models/writer-question';
import { readSettings, strategyTitle } from '../../settings';
import type { ChatCall } from '../chat-services';
import { plain, tableRow } from '../markdown';

/** `/compact [instructions]`: shows what a compaction would do; a button applies it. */
export async function previewCompaction(call: ChatCall, instructions: string): Promise<void> {
  const { services, stream, signal, chat } = call;
  const { strategy } = readSettings();
  const tools = await services.inspector.tools('manual');
  stream.progress(vscode.l10n.t('Preparing: {0}', strategyTitle(strategy)));
  const { workbench } = chat.conversation;
  const run = await prepareAsSet(workbench, { strategy, instructions, trigger: 'manual', tools, signal });
  stream.markdown(previewText(run, strategyTitle(strategy)));
  if (run.records.length === 0) return;
  if (!isSummarizerChosen()) {
    const { agent } = workbench.session;
    const order = { patience: previewPatience, instructions };
    const size = await compactionSize({ inspection: workbench, log: services.log }, order);
    askWhoWrites(stream, { agent, instructions, offers: await readWriters(agent, size) });
  }
  const id = randomUUID();
  services.prepared.add(id, { conversation: chat.conversation, run });
  stream.button({ command: chatCommandIds.applyCompaction, title: vscode.l10n.t('Apply'), arguments: [id] });
  stream.button({
    command: chatCommandIds.show,
    title: vscode.l10n.t('Preview in the Inspector'),
    arguments: [chat.conversation.id, 'compact'],
  });
}

function previewText(run: PreparedRun, title: string): string {
  const notes = [...run.failures, ...run.notes].map(translated).map((note) => `- ${note}`);
  if (run.records.length === 0) {
    return [vscode.l10n.t('{0}: there is nothing to compact now.', title), '', ...notes].join('\n');
  }
  const lost = run.loss === null ? null : lossText(calibratedLoss(run.loss, run.after.tokens.calibration));
  return [
    `**${title}**`,
    '',
    tableRow('', vscode.l10n.t('before'), vscode.l10n.t('after')),
    tableRow('---', '---:', '---:'),
    tableRow(vscode.l10n.t('tokens'), tokensText(run.before.tokens.total), tokensText(run.after.tokens.total)),
    tableRow(vscode.l10n.t('messages'), run.before.messages.length, run.after.messages.length),
    '',
    ...recordsInContext(run.records).map(({ summaryType, displayLine = '' }) =>
      `- ${plain(blockForm(summaryType).tag)} ${plain(displayLine)}`.trimEnd(),
    ),
    ...(lost === null ? [] : [`- ${vscode.l10n.t('Afterwards {0}.', plain(translated(lost)))}`]),
    ...notes,
    '',
    vscode.l10n.t('Nothing has changed yet.'),
  ].join('\n');
}

/** The preview was made before the person answered who writes. */
interface Unanswered {
  readonly agent: AgentId;
  /** The instructions that were given to `/compact`. */
  readonly instructions: string;
  /** The panel preselects the first answer, so it is the first button. */
  readonly offers: readonly WriterOfferView[];
}

/** The panel's question, with a button for each answer. Until the person clicks one, no model writes. */
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
