import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/run/prepared-run';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import { OwnConversation, type OwnFolders } from '../../inspection/own-conversation';
import type { ConversationMaker } from '../../sessions/strata/records';
import { automationDecision } from '../compaction/automation-decision';
import { prepareAsSet } from '../compaction/compaction-order';
import type { ModelAccess, Trigger } from '../models/model-access';
import { readSettings } from '../settings';
import type { CompactionWishes } from '../tools/compaction-wishes';

/** A long conversation takes some megabytes of memory. */
const mostOpen = 30;

/** Strata's own conversations, each opened once in this window. */
export class OwnConversations {
  readonly #open = new Map<string, Promise<OwnConversation>>();

  constructor(
    readonly folders: OwnFolders,
    private readonly models: ModelAccess,
    private readonly wishes: CompactionWishes,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  create(madeBy: ConversationMaker, cwd: string | null, begins?: string): Promise<OwnConversation> {
    const id = randomUUID();
    const header = { id, time: new Date().toISOString(), cwd, madeBy, ...(begins === undefined ? {} : { begins }) };
    return this.#keep(id, OwnConversation.create(this.folders, header, readSettings().fallbackContextWindow));
  }

  /** Throws `ConversationNotRead` where there is none of this id. */
  async open(id: string): Promise<OwnConversation> {
    const opening = this.#open.get(id) ?? OwnConversation.open(this.folders, id, readSettings().fallbackContextWindow);
    return await this.#keep(
      id,
      opening.then(async (conversation) => {
        await conversation.refresh();
        return conversation;
      }),
    );
  }

  async #keep(id: string, opening: Promise<OwnConversation>): Promise<OwnConversation> {
    // The newest last; what was let go of is read from its file again.
    this.#open.delete(id);
    this.#open.set(id, opening);
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
    try {
      return await opening;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /**
   * Compacts by itself when the strategy's trigger says so or an agent has asked for it. Between two turns: before the next
   * message of the person is added. Null where nothing was to do. A failure is told in the log; the conversation goes on
   * as it is.
   */
  async compactIfDue({ inspection }: OwnConversation, signal: AbortSignal): Promise<PreparedRun | null> {
    // What an agent asked for waits for no threshold.
    if (readSettings().automation.enabled && this.wishes.take(inspection.session.file) !== null) {
      return await this.#compact(inspection, 'manual', signal);
    }
    return automationDecision(inspection, true) === 'run' ? await this.#compact(inspection, 'automatic', signal) : null;
  }

  /** Compacts at any moment, because the next request would not fit; not where automatic compaction is off. */
  async compactToFit({ inspection }: OwnConversation, signal: AbortSignal): Promise<PreparedRun | null> {
    return readSettings().automation.enabled ? await this.#compact(inspection, 'automatic', signal, true) : null;
  }

  async #compact(
    inspection: Inspection,
    trigger: Trigger,
    signal: AbortSignal,
    isDue = false,
  ): Promise<PreparedRun | null> {
    const outcome = await this.models.toolsFor('automatic');
    if (outcome.kind === 'refused') {
      this.log.warn(`Nothing was compacted by itself: ${outcome.message}`);
      return null;
    }
    const { tools } = outcome;
    const { strategy } = readSettings();
    const run = await prepareAsSet(inspection, { strategy, instructions: '', trigger, isDue, tools, signal });
    for (const failure of run.failures) this.log.warn(failure);
    return run.records.length > 0 && (await this.#apply(inspection, run)) ? run : null;
  }

  /** Another part of Strata may have compacted the same meanwhile; then that is what holds. */
  async #apply(inspection: Inspection, run: PreparedRun): Promise<boolean> {
    try {
      await inspection.apply(run);
      return true;
    } catch (error) {
      if (!(error instanceof OperationRefused)) throw error;
      this.log.warn(error.message);
      return false;
    }
  }
}
