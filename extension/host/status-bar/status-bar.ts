import * as vscode from 'vscode';
import { effectOf } from '../../inspection/effect';
import type { Inspection } from '../../inspection/inspection';
import { agentNames } from '../../sessions/session';
import type { Inspector } from '../inspector';
import { readSettings, settingsSection } from '../settings';
import { gaugeInAgent, gaugeView } from '../view/gauge';
import { autoCompactView, noticeViews } from '../view/notices';
import { type StatusBarFacts, statusBarContent } from './status-bar-content';

/** The first change of a burst is shown at once, such as an applied compaction; the others are shown together. */
const updateDelayMs = 300;

/** Right-aligned items with higher priority are further left. This places it beside the language items. */
const priority = 90;

/** Shows the size of the open session's context in the status bar. Hidden while no session is open. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('strata.context', vscode.StatusBarAlignment.Right, priority);
  readonly #disposables: vscode.Disposable[];
  #resting: NodeJS.Timeout | undefined;
  #isOutdated = false;

  constructor(
    private readonly inspector: Inspector,
    command: string,
  ) {
    this.#item.name = vscode.l10n.t('Strata Context Size');
    this.#item.command = command;
    this.#disposables = [
      this.#item,
      inspector.onDidOpen(() => this.#show()),
      inspector.onDidChange(() => this.#schedule()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingsSection)) this.#show();
      }),
    ];
    this.#show();
  }

  #schedule(): void {
    if (this.#resting === undefined) this.#show();
    else this.#isOutdated = true;
  }

  #show(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#wake(), updateDelayMs);
    this.#isOutdated = false;
    const { inspection } = this.inspector;
    if (inspection === null) this.#item.hide();
    else this.#paint(this.#factsOf(inspection));
  }

  #wake(): void {
    this.#resting = undefined;
    if (this.#isOutdated) this.#show();
  }

  #paint(facts: StatusBarFacts): void {
    const { text, label, heading, details, level } = statusBarContent(facts);
    this.#item.text = text;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.tooltip = new vscode.MarkdownString().appendText(heading).appendMarkdown(`\n\n${details}`);
    this.#item.backgroundColor =
      level === 'calm' ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
    this.#item.show();
  }

  #factsOf(inspection: Inspection): StatusBarFacts {
    const settings = { ...readSettings(), automationStopped: this.inspector.automationStopped };
    const { agent, title } = inspection.session;
    return {
      gauge: gaugeView(inspection, settings),
      inAgent: gaugeInAgent(inspection, settings),
      effect: effectOf(inspection),
      autoCompact: autoCompactView(inspection, settings),
      isDueSoon: noticeViews(inspection, settings).some(({ kind }) => kind === 'auto-compact-soon'),
      agentName: agentNames[agent],
      title,
    };
  }

  dispose(): void {
    clearTimeout(this.#resting);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
