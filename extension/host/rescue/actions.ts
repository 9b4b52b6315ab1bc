import * as vscode from 'vscode';
import { OperationRefused } from '../../inspection/inspection';
import { promptWithout, type RescueOutcome, rescueOf } from '../../inspection/rescue';
import type { Rescue } from '../../inspection/rescue-prompt';
import { agentNames } from '../../sessions/session';
import type { Inspector } from '../inspector';

/**
 * Copies a prompt with what the agent no longer has, without the items that a person unticked. Throws `OperationRefused` if there is no
 * such prompt.
 */
export async function copyForgotten(inspector: Inspector, without: readonly string[]): Promise<void> {
  await vscode.env.clipboard.writeText(promptWithout(forgottenNow(inspector), without));
}

/** The same for the command palette, with a message, because nothing else shows that it was copied. */
export async function tellCopied(inspector: Inspector): Promise<void> {
  const outcome = rescueOf(inspector.required());
  const agent = agentOf(inspector);
  if (outcome.kind !== 'forgot') {
    void vscode.window.showInformationMessage(reasons[outcome.kind](agent));
    return;
  }
  const { prompt, forgotten } = outcome.rescue;
  await vscode.env.clipboard.writeText(prompt);
  void vscode.window.showInformationMessage(copiedText(agent, forgotten.length));
}

function copiedText(agent: string, count: number): string {
  return count === 1
    ? vscode.l10n.t('Copied what {0} no longer has (1 item). Paste it there as your next prompt.', agent)
    : vscode.l10n.t('Copied what {0} no longer has ({1} items). Paste it there as your next prompt.', agent, count);
}

function forgottenNow(inspector: Inspector): Rescue {
  const outcome = rescueOf(inspector.required());
  if (outcome.kind === 'forgot') return outcome.rescue;
  throw new OperationRefused(reasons[outcome.kind](agentOf(inspector)));
}

function agentOf(inspector: Inspector): string {
  return agentNames[inspector.required().session.agent];
}

const reasons: Readonly<Record<Exclude<RescueOutcome['kind'], 'forgot'>, (agent: string) => string>> = {
  'nothing-forgotten': (agent) =>
    vscode.l10n.t('Strata found nothing that the newest compaction of {0} dropped and that is still missing.', agent),
  'not-compacted': (agent) => vscode.l10n.t('{0} has not summarized its context in this session.', agent),
  unreadable: (agent) =>
    vscode.l10n.t('The summary is encrypted for the provider of {0}, so nothing can be said about it.', agent),
};
