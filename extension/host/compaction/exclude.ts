import * as vscode from 'vscode';
import { toolsWithoutModel } from '../../summarizers/without-model';
import type { Inspector } from '../inspector';
import { type ExclusionView, exclusionView } from '../view/exclusion';

/** Calls that the question names; the rest are counted. */
const mostNamed = 8;

/** Excludes the message of a row, and asks first if tool calls of other rows go with it. */
export async function confirmExclusion(inspector: Inspector, entryId: string, rowKey: string): Promise<void> {
  const view = exclusionView(inspector.required().context.messages, entryId, rowKey);
  if (view !== null && view.calls.length > 0 && !(await isConfirmed(view))) return;
  await inspector.change((inspection) => inspection.exclude(entryId, toolsWithoutModel));
}

async function isConfirmed({ isTurn, calls }: ExclusionView): Promise<boolean> {
  const exclude = vscode.l10n.t('Exclude');
  const chosen = await vscode.window.showWarningMessage(
    isTurn
      ? vscode.l10n.t('Exclude this turn from the context?')
      : vscode.l10n.t('Exclude this message from the context?'),
    { modal: true, detail: `${countText(calls.length)}\n${namesOf(calls)}` },
    exclude,
  );
  return chosen === exclude;
}

function countText(count: number): string {
  return count === 1
    ? vscode.l10n.t('One tool call and its result go with it:')
    : vscode.l10n.t('{0} tool calls and their results go with it:', count);
}

function namesOf(calls: readonly string[]): string {
  const named = calls.slice(0, mostNamed).map((call) => `• ${call}`);
  const others = calls.length - named.length;
  return [...named, ...(others > 0 ? [vscode.l10n.t('and {0} more', others)] : [])].join('\n');
}
