import type * as vscode from 'vscode';
import { AutomaticRuns } from '../../conversations/compaction/automatic-runs';
import { type AutomationInput, isMidTurn } from '../../engine/run/automation/automation';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { findStrategy } from '../../engine/run/prepare/registry';
import { effectOf } from '../../inspection/effect';
import type { Inspection } from '../../inspection/inspection';
import { agentNames } from '../../sessions/session';
import type { Inspector } from '../inspector';
import type { Trigger } from '../models/model-access';
import { isSummarizerChosen, readModelSettings } from '../models/model-settings';
import { automationSetting, readSettings, writeSetting } from '../settings';
import type { CompactionWishes } from '../tools/compaction-wishes';
import { tellOfRun } from './run-notice';

/**
 * Milliseconds to wait after the last change of a burst while an agent writes. Some agents write the text of a reply seconds before its
 * tool calls, and until then it looks like the end of a turn.
 */
const lookAfter = 5000;

/** Compacts the open session automatically by its strategy's trigger, and reports each compaction. */
export class AutoCompact implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[];
  #looking: NodeJS.Timeout | undefined;
  readonly #runs = new WeakMap<Inspection, AutomaticRuns>();

  constructor(
    private readonly inspector: Inspector,
    private readonly wishes: CompactionWishes,
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
    const trigger = inspection && !busy ? this.#due(inspection) : null;
    if (!inspection || trigger === null) return;
    try {
      const outcome = await this.inspector.models.toolsFor('automatic');
      this.inspector.automationStopped = outcome.kind === 'refused' ? outcome.message : null;
      if (outcome.kind === 'ready') await this.#compact(inspection, trigger);
      else await this.inspector.change(async () => undefined);
    } catch (error) {
      this.log.error(`The automatic compaction came to nothing: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The agent of a session may have asked for a compaction, which then waits only for the end of the turn. */
  #due(inspection: Inspection): Trigger | null {
    // Strata's own conversations compact before the next message is sent, and report it in the chat. If Strata is not inside the agent, a
    // compaction would change only the display.
    if (effectOf(inspection) !== 'next-compaction') return null;
    // Estimates are not used to decide. When the counts arrive, the change event leads here again.
    if (inspection.isCounting) return null;
    const mayRun = readSettings().automation.enabled && !isMidTurn(inspection.context.messages);
    if (mayRun && this.wishes.take(inspection.session.file) !== null) return 'manual';
    // A model prepares the agent's compaction in advance (`Preparations`); if none is chosen, the agent's own model writes.
    if (readModelSettings().kind !== 'none' || !isSummarizerChosen()) return null;
    const around = inspection.isInUse ? aroundOf(inspection) : null;
    return around !== null && this.#runsOf(inspection).decide(around).kind === 'run' ? 'automatic' : null;
  }

  #runsOf(inspection: Inspection): AutomaticRuns {
    const runs = this.#runs.get(inspection) ?? new AutomaticRuns();
    this.#runs.set(inspection, runs);
    return runs;
  }

  async #compact(inspection: Inspection, trigger: Trigger): Promise<void> {
    const run = await this.inspector.prepare(readSettings().strategy, '', trigger);
    for (const failure of run.failures) this.log.warn(String(failure));
    if (run.records.length > 0 && this.inspector.inspection !== inspection) return;
    if (run.records.length > 0) await this.inspector.apply(run);
    const around = aroundOf(inspection);
    if (around !== null) this.#runsOf(inspection).ended(run, around);
    if (run.records.length === 0) return;
    this.log.info(`Compacted automatically: ${run.before.tokens.total} → ${run.after.tokens.total} tokens.`);
    void this.#tell(inspection, run);
  }

  async #tell(inspection: Inspection, run: PreparedRun): Promise<void> {
    const undo = async (first: number) => {
      if (this.inspector.inspection === inspection) await this.inspector.change((open) => open.undo(first));
    };
    await tellOfRun(run, { show: this.showCompactions, undo }, agentNames[inspection.session.agent]);
  }

  dispose(): void {
    clearTimeout(this.#looking);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** The input of the decision. Null if the strategy is unknown. */
function aroundOf({ conversation, state, context, contextWindow }: Inspection): AutomationInput | null {
  const { strategy: name, parameters, automation } = readSettings();
  const strategy = findStrategy(name);
  if (!strategy) return null;
  return { ...automation, conversation, state, context, contextWindow, strategy, parameters };
}

export async function toggleAutoCompact(): Promise<void> {
  await writeSetting(automationSetting, !readSettings().automation.enabled);
}
