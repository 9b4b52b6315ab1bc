import * as vscode from 'vscode';
import type { Parameters } from '../engine/compaction/plan';
import { defaultStrategy, findStrategy, strategyChoices } from '../engine/strategies/registry';
import { assumedContextWindow } from '../inspection/inspection';

/** What a person set, read anew each time: settings change while the editor runs. */
export interface Settings {
  /** Folders that are searched for session files besides those of the agents. */
  readonly sessionFolders: readonly string[];
  readonly fallbackContextWindow: number;
  readonly reserveTokens: number;
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, Parameters>>;
}

export const settingsSection = 'strata';

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  return {
    sessionFolders: configuration.get<string[]>('sessions.folders', []),
    fallbackContextWindow: configuration.get<number>('context.fallbackWindow', assumedContextWindow),
    reserveTokens: configuration.get<number>('compaction.reserveTokens', 0),
    strategy: configuration.get<string>('compaction.strategy', defaultStrategy),
    parameters: strategyParameters(configuration),
  };
}

/** `strata.strategies.<strategy>.<parameter>`, for every strategy that has parameters. */
function strategyParameters(configuration: vscode.WorkspaceConfiguration): Record<string, Parameters> {
  const steps = strategyChoices().flatMap((choice) => choice.steps);
  return Object.fromEntries(
    steps.map((step) => [
      step.name,
      Object.fromEntries(
        Object.entries(step.defaults).map(([name, standard]) => [
          name,
          configuration.get<number | boolean>(`strategies.${step.name}.${name}`, standard),
        ]),
      ),
    ]),
  );
}

export function strategyTitle(name: string): string {
  return findStrategy(name)?.title ?? name;
}
