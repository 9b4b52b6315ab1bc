import * as vscode from 'vscode';
import { type PinKind, pinKinds } from '../../../engine/core/core';
import { OperationRefused } from '../../../inspection/inspection';
import type { ChatCall } from '../chat-services';
import { plain } from '../markdown';

/** `/pin [goal|constraint|decision] text`: into the protected core, verbatim. Without a kind it is a constraint. */
export async function pinText({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const { kind, text } = readPin(argument);
  if (text === '') throw new OperationRefused(vscode.l10n.t('Say what to pin: /pin never touch the vendor folder'));
  const { workbench } = chat.conversation;
  const item = await workbench.pin(kind, text, null);
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
