import * as vscode from 'vscode';
import { isPrompt } from '../../engine/conversation/entry';
import type { Inspection } from '../../inspection/inspection';
import { isByAgentItself, newestSummary, rescueOf } from '../../inspection/rescue';
import type { Rescue } from '../../inspection/rescue-prompt';
import { agentNames } from '../../sessions/session';
import { offer } from '../dialogs';
import { failureDetail } from '../failures/failure-text';
import type { Inspector } from '../inspector';
import { notifiesOfRescue } from '../settings';
import { forgottenSummary } from '../view/rescue';
import { tellCopied } from './actions';

/** Milliseconds to wait after the last change of a burst while an agent writes. */
const lookAfter = 1000;

/** A compaction is news until the person has written this many prompts after it. */
const promptsOfNews = 3;

/** Facts about one session. */
interface Looked {
  /** The newest compaction that was checked, and what it forgot; null if it forgot nothing or is no longer news. */
  readonly compactionId: string | null;
  readonly rescue: Rescue | null;
}

/**
 * Checks after each compaction by the agent what its context no longer has. The panel shows it while it is news. A notification appears
 * once, if the compaction happened while the session was open here.
 */
export class RescueWatch implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[];
  readonly #looked = new WeakMap<Inspection, Looked>();
  /** The newest compaction when the session was opened here, or the last one that was announced. */
  readonly #announced = new WeakMap<Inspection, string | null>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly inspector: Inspector,
    private readonly show: () => unknown,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#disposables = [inspector.onDidChange(() => this.#schedule()), inspector.onDidOpen(() => this.#open())];
  }

  #open(): void {
    const { inspection } = this.inspector;
    if (inspection) this.#announced.set(inspection, newestId(inspection));
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#look().catch((error) =>
        this.log.error(`What the agent forgot could not be found: ${failureDetail(error)}`),
      );
    }, lookAfter);
  }

  async #look(): Promise<void> {
    const { inspection } = this.inspector;
    if (!inspection) return;
    const before = this.#looked.get(inspection);
    const compactionId = newestId(inspection);
    // If everything is in the context again, it stays there until the next compaction.
    if (before?.compactionId === compactionId && before.rescue === null) return;
    const rescue = newsOf(inspection);
    this.#looked.set(inspection, { compactionId, rescue });
    await this.#tellPanel(inspection, rescue);
    if (rescue === null || this.#announced.get(inspection) === compactionId) return;
    this.#announced.set(inspection, compactionId);
    if (notifiesOfRescue()) void this.#notify(rescue);
  }

  async #tellPanel(inspection: Inspection, rescue: Rescue | null): Promise<void> {
    const { rescue: shown } = inspection;
    inspection.rescue = rescue;
    const isSame = shown?.prompt === rescue?.prompt && shown?.compaction.id === rescue?.compaction.id;
    if (!isSame) await this.inspector.change(async () => undefined);
  }

  async #notify(rescue: Rescue): Promise<void> {
    const agent = agentNames[this.inspector.required().session.agent];
    const message = vscode.l10n.t(
      '{0} compacted its context, which no longer has: {1}.',
      agent,
      forgottenSummary(rescue.forgotten),
    );
    await offer(message, {
      [vscode.l10n.t('Copy as Prompt')]: () => tellCopied(this.inspector),
      [vscode.l10n.t('Show')]: this.show,
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

function newestId({ conversation }: Inspection): string | null {
  return newestSummary(conversation)?.id ?? null;
}

/** Null if nothing was forgotten, the compaction is old, or Strata inside the agent made it. */
function newsOf(inspection: Inspection): Rescue | null {
  const compaction = newestSummary(inspection.conversation);
  if (
    !compaction ||
    !isByAgentItself(compaction, inspection) ||
    promptsSince(compaction.summaryEntryId, inspection) >= promptsOfNews
  )
    return null;
  const outcome = rescueOf(inspection);
  return outcome.kind === 'forgot' ? outcome.rescue : null;
}

function promptsSince(summaryEntryId: string | null, { conversation }: Inspection): number {
  const { entries } = conversation;
  return entries.slice(entries.findLastIndex(({ id }) => id === summaryEntryId) + 1).filter(isPrompt).length;
}
