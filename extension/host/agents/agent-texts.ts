import * as vscode from 'vscode';
import { takesCompactions } from '../../inside/doors';
import type { AgentSetup } from '../../inside/setup/agent-setup';
import type { CheckOutcome } from '../../inside/setup/check';
import { effectOf } from '../../inspection/effect';
import type { SetupOutcomeView } from '../../protocol/agents';

/** Describes the abilities of Strata inside an agent. */
export function reachText({ agent, plugin }: Pick<AgentSetup, 'agent' | 'plugin'>): string {
  if (plugin === undefined) return vscode.l10n.t('The agent gets Strata’s tools. Its compaction stays as it is.');
  if (!takesCompactions(agent)) {
    return vscode.l10n.t(
      'The agent writes its own summaries. Strata repeats the pins, and what the summaries left out.',
    );
  }
  switch (effectOf({ session: { agent }, isStrataInside: true })) {
    case 'next-request':
      return vscode.l10n.t('Compactions and their undo take effect with the agent’s next request.');
    case 'when-asked':
      return vscode.l10n.t('The agent compacts with Strata at /strata compact. Its own compaction stays as it is.');
    default:
      return vscode.l10n.t('Strata carries out the agent’s compactions, at /compact and when its context is full.');
  }
}

export function checkText(name: string, outcome: CheckOutcome): SetupOutcomeView {
  switch (outcome.kind) {
    case 'seen':
      return { text: vscode.l10n.t('{0} sees Strata’s tools.', name), isGood: true };
    case 'not-checked':
      return {
        text: vscode.l10n.t('Strata was set up in {0}, which uses it from its next start.', name),
        isGood: true,
      };
    case 'no-answer':
      return {
        text: vscode.l10n.t(
          'Strata was set up in {0}, but not checked: "{1}" did not end within {2} seconds.',
          ...[name, outcome.command, outcome.seconds],
        ),
        isGood: false,
      };
    case 'not-seen':
      return {
        text: vscode.l10n.t('Strata was set up in {0}, but {0} does not list it. Strata’s log has its output.', name),
        isGood: false,
      };
  }
}
