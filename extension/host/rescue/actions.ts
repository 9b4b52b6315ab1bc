import * as vscode from 'vscode';
import { OperationRefused } from '../../inspection/inspection';
import { pinForgotten, type RescueOutcome, rescueOf } from '../../inspection/rescue';
import type { Rescue } from '../../inspection/rescue-prompt';
import { agentNames } from '../../sessions/session';
import type { Inspector } from '../inspector';

/** Copies the prompt that says what the agent's newest compaction forgot. Refused if there is none. */
export async function copyForgotten(inspector: Inspector): Promise<void> {
  await vscode.env.clipboard.writeText(forgottenNow(inspector).prompt);
}

/** The same for the palette, where nothing else shows that it was copied. */
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
    ? vscode.l10n.t('Copied what {0} forgot (1 item). Paste it there as your next prompt.', agent)
    : vscode.l10n.t('Copied what {0} forgot ({1} items). Paste it there as your next prompt.', agent, count);
}

/** Returns the number of new items in the core. */
export async function pinWhatIsForgotten(inspector: Inspector): Promise<number> {
  const rescue = forgottenNow(inspector);
  return await inspector.change((inspection) => pinForgotten(rescue, inspection));
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
    vscode.l10n.t(
      'Nothing was found that {0} forgot in its newest compaction and does not have in its context.',
      agent,
    ),
  'not-compacted': (agent) => vscode.l10n.t('{0} has not summarized its context in this session.', agent),
  unreadable: (agent) =>
    vscode.l10n.t('The summary is encrypted for the provider of {0}, so nothing can be said about it.', agent),
};
