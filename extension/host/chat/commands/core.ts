import * as vscode from 'vscode';
import { brief } from '../../../engine/conversation/text';
import { type CoreItem, type CoreItemStatus, originalGoalId, type PinKind, pinKinds } from '../../../engine/core/core';
import { OperationRefused } from '../../../inspection/inspection';
import { chatCommandIds } from '../../command-ids';
import type { ChatCall } from '../chat-services';
import { plain } from '../markdown';

const verbs: Readonly<Record<string, CoreItemStatus>> = {
  done: 'done',
  supersede: 'superseded',
  accept: 'active',
  refuse: 'refused',
};

/** `/core`: what is in the protected core; `/core done 2` changes an item by its number in that list. */
export async function tellCore({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const { workbench, id } = chat.conversation;
  if (argument === 'propose') await workbench.coreEditor.propose();
  else if (argument !== '')
    await changeByNumber(workbench.journal.state.items, argument, (...change) =>
      workbench.coreEditor.change(...change),
    );
  const { originalGoal } = workbench;
  const button = (item: string, title: string, status: CoreItemStatus) =>
    stream.button({ command: chatCommandIds.changeItem, title, arguments: [id, item, status] });
  if (originalGoal?.isProposedDone) {
    stream.markdown(
      `${vscode.l10n.t('A newer goal was confirmed. Is this one over?')}\n\n${plain(brief(originalGoal.text, 300))}\n\n`,
    );
    button(originalGoalId, vscode.l10n.t('It is over'), 'done');
    button(originalGoalId, vscode.l10n.t('It still holds'), 'active');
  }
  const { items } = workbench.journal.state;
  const shown = items.filter(isShown);
  if (shown.length === 0) {
    stream.markdown(vscode.l10n.t('The protected core is empty. `/pin` puts a constraint into it.'));
    return;
  }
  stream.markdown(shown.map((item) => line(item, items.indexOf(item) + 1)).join('\n'));
  for (const { id: item, text } of shown.filter(({ status }) => status === 'proposed').slice(0, 5)) {
    const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
    button(item, vscode.l10n.t('Accept “{0}”', short), 'active');
    button(item, vscode.l10n.t('Refuse'), 'refused');
  }
}

async function changeByNumber(
  items: readonly CoreItem[],
  argument: string,
  change: (item: string, status: CoreItemStatus) => Promise<void>,
): Promise<void> {
  const [verb = '', number = ''] = argument.toLowerCase().split(/\s+/);
  const status = verbs[verb];
  const item = items[Number(number) - 1];
  if (!status || !item) {
    throw new OperationRefused(
      vscode.l10n.t('Type /core done, supersede, accept or refuse, and the number of an item.'),
    );
  }
  await change(item.id, status);
}

function isShown({ status }: CoreItem): boolean {
  return status === 'active' || status === 'proposed';
}

function line({ kind, text, status }: CoreItem, number: number): string {
  const mark = status === 'proposed' ? ` (${vscode.l10n.t('proposed')})` : '';
  return `${number}. **${kind}**${mark}: ${plain(text)}`;
}

/** `/pin [goal|constraint|decision] text`: adds the text to the protected core, verbatim. The default kind is a constraint. */
export async function pinText({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const { kind, text } = readPin(argument);
  if (text === '')
    throw new OperationRefused(vscode.l10n.t('Add the text to pin, for example: /pin never touch the vendor folder'));
  const { workbench } = chat.conversation;
  const item = await workbench.coreEditor.pin(kind, text, null);
  const from = vscode.l10n.t('It is in every request from now on, and no compaction touches it.');
  stream.markdown(`${pinnedAs[kind]()} **${plain(item.text)}**\n\n${from}`);
}

function readPin(argument: string): { kind: PinKind; text: string } {
  const [first = '', ...rest] = argument.split(/(?<=^\S+)\s+/);
  const kind = pinKinds.find((known) => first.toLowerCase().replace(/:$/, '') === known);
  return kind ? { kind, text: rest.join(' ').trim() } : { kind: 'constraint', text: argument };
}

const pinnedAs: Readonly<Record<PinKind, () => string>> = {
  goal: () => vscode.l10n.t('Pinned as the current goal:'),
  constraint: () => vscode.l10n.t('Pinned as a constraint:'),
  decision: () => vscode.l10n.t('Pinned as a decision:'),
};
