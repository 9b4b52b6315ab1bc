import * as vscode from 'vscode';
import type { PreparedRun } from '../engine/compaction/run';
import { lossOfRun } from '../engine/compaction/run-loss';
import type { Inspection } from '../inspection/inspection';
import { automationDecision } from './automation-decision';
import type { Inspector } from './inspector';
import { automationSetting, readSettings, settingsSection } from './settings';
import { tokensText } from './view/tokens-text';

/**
 * A burst of changes while an agent writes is looked at once, this many milliseconds after its last. Some agents write the
 * text of a reply seconds before its tool calls, and until then it looks like the end of a turn.
 */
const lookAfter = 5000;

/** Compacts the open session by itself when its strategy's trigger says so, and tells the person each time. */
export class AutoCompact implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[];
  #looking: NodeJS.Timeout | undefined;
  /** How large the context was when a run came to nothing: the same again would come to nothing again. */
  #fruitlessAt: { readonly inspection: Inspection; readonly tokens: number } | null = null;

  constructor(
    private readonly inspector: Inspector,
    private readonly showCompactions: () => unknown,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables = [
      inspector.onDidChange(() => this.#schedule()),
      inspector.onDidOpen(() => this.#schedule()),
      inspector.onDidChangeBusy(() => this.#schedule()),
    ];
  }

  #schedule(): void {
    clearTimeout(this.#looking);
    this.#looking = setTimeout(() => void this.#look(), lookAfter);
  }

  async #look(): Promise<void> {
    const { inspection, busy } = this.inspector;
    if (!inspection?.goesOn || busy || this.#isFruitless(inspection) || automationDecision(inspection) !== 'run')
      return;
    try {
      const outcome = await this.inspector.models.toolsFor('automatic');
      this.inspector.automationStopped = outcome.kind === 'refused' ? outcome.message : null;
      if (outcome.kind === 'ready') await this.#compact(inspection);
      else await this.inspector.change(async () => undefined);
    } catch (error) {
      this.log.error(`The automatic compaction came to nothing: ${error instanceof Error ? error.message : error}`);
    }
  }

  #isFruitless(inspection: Inspection): boolean {
    if (this.#fruitlessAt?.inspection !== inspection) return false;
    return inspection.context.tokens.total < this.#fruitlessAt.tokens + readSettings().automation.pauseTokens;
  }

  async #compact(inspection: Inspection): Promise<void> {
    const run = await this.inspector.prepare(readSettings().strategy, '', 'automatic');
    for (const failure of run.failures) this.log.warn(failure);
    if (run.records.length === 0) this.#fruitlessAt = { inspection, tokens: run.before.tokens.total };
    if (run.records.length === 0 || this.inspector.inspection !== inspection) return;
    await this.inspector.apply(run);
    this.log.info(`Compacted by itself: ${run.before.tokens.total} → ${run.after.tokens.total} tokens.`);
    void this.#tell(inspection, run);
  }

  async #tell(inspection: Inspection, run: PreparedRun): Promise<void> {
    const [first] = run.records;
    if (!first) return;
    const undo = vscode.l10n.t('Undo');
    const show = vscode.l10n.t('Show');
    const chosen = await vscode.window.showInformationMessage(noticeOf(run), undo, show);
    if (chosen === show) this.showCompactions();
    if (chosen === undo && this.inspector.inspection === inspection) {
      await this.inspector.change((open) => open.undoRun(first.run));
    }
  }

  dispose(): void {
    clearTimeout(this.#looking);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** What it saved, what it cost and what it lost. */
function noticeOf(run: PreparedRun): string {
  const { before, after, tokensSpent } = run;
  const { names, words } = lossOfRun(run);
  const lost = names.lost + words.lost;
  const all = lost + names.kept + words.kept;
  const spent = tokensSpent.input + tokensSpent.output;
  return [
    vscode.l10n.t(
      'Strata compacted the context: {0} → {1} tokens.',
      tokensText(before.tokens.total),
      tokensText(after.tokens.total),
    ),
    lost > 0 ? vscode.l10n.t('{0} of {1} names and directions are not in the summaries.', lost, all) : '',
    spent > 0 ? vscode.l10n.t('It cost {0} tokens.', tokensText(spent)) : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Switches automatic compaction on or off, for this workspace where it was set there, else for all of them. */
export async function toggleAutoCompact(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsSection);
  const isInWorkspace = configuration.inspect<boolean>(automationSetting)?.workspaceValue !== undefined;
  const target = isInWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(automationSetting, !configuration.get<boolean>(automationSetting, true), target);
}
