import * as vscode from 'vscode';
import type { Summarizer } from '../../engine/block/summary';
import { draftHandoff } from '../../engine/run/change/handoff';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import { cancellationBy } from '../cancellation';
import { offer, openDraft, openNewChat } from '../dialogs';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';

/** Opens a draft for a new thread in an untitled editor. Nothing is sent anywhere: the person uses it as they like. */
export async function handOff(inspector: Inspector, log: vscode.LogOutputChannel, asked: string): Promise<void> {
  inspector.required();
  const goal = asked.trim() === '' ? await askGoal() : asked;
  if (goal === undefined) return;
  const text = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Drafting the handoff'), cancellable: true },
    (_progress, token) => draft(inspector, goal, token),
  );
  const document = await openDraft(text);
  // Not awaited: a notification stays until it is dismissed.
  void tellingFailures(log, 'strata.handOff', () => offerNextThread(document));
}

/** The draft with its original text, because a person may have edited it. */
async function offerNextThread(document: vscode.TextDocument): Promise<void> {
  const message = vscode.l10n.t('Paste the draft into a new session of your agent, or begin a chat with it.');
  await offer(message, {
    [vscode.l10n.t('Copy')]: () => vscode.env.clipboard.writeText(document.getText()),
    [vscode.l10n.t('Open in a New Chat')]: () => openNewChat(document.getText()),
  });
}

function askGoal(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Hand off to a new thread'),
    prompt: vscode.l10n.t('What is the next thread for? The draft keeps what matters for it.'),
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Say what the next thread is for.') : undefined),
  });
}

async function draft(inspector: Inspector, goal: string, token: vscode.CancellationToken): Promise<string> {
  using cancellation = cancellationBy(token, () => new OperationRefused(vscode.l10n.t('The handoff was cancelled.')));
  const { summarizer } = await inspector.tools('manual');
  return await draftFor(inspector.required(), goal, summarizer, cancellation.signal);
}

/** An opening message for a new thread with this goal. */
export async function draftFor(
  inspection: Inspection,
  goal: string,
  summarizer: Summarizer,
  signal: AbortSignal,
): Promise<string> {
  await inspection.counted;
  const { context, handedOver, ledger, excluded } = inspection;
  const { conversation } = inspection.session;
  const outcome = await draftHandoff({
    conversation,
    context,
    core: handedOver,
    goal,
    summarizer,
    ledger,
    excluded,
    signal,
  });
  if (outcome.kind === 'nothing-said')
    throw new OperationRefused(vscode.l10n.t('Nothing was said in this session yet.'));
  if (outcome.kind === 'rejected') throw new OperationRefused('The draft was rejected: {0}.', [outcome.reason]);
  return outcome.text;
}
