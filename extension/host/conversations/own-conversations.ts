import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/compaction/run';
import { OwnConversation, type OwnFolders } from '../../inspection/own-conversation';
import type { ConversationMaker } from '../../sessions/strata/records';
import { automationDecision } from '../automation-decision';
import { prepareAsSet } from '../compaction-order';
import type { ModelAccess } from '../models/model-access';
import { readSettings } from '../settings';

/** Strata's own conversations, each opened once in this window. */
export class OwnConversations {
  readonly #open = new Map<string, Promise<OwnConversation>>();

  constructor(
    readonly folders: OwnFolders,
    private readonly models: ModelAccess,
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
    const conversation = await this.#keep(id, opening);
    await conversation.refresh();
    return conversation;
  }

  async #keep(id: string, opening: Promise<OwnConversation>): Promise<OwnConversation> {
    this.#open.set(id, opening);
    try {
      return await opening;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /**
   * Compacts by itself when the strategy's trigger says so, between two turns: before the next message of the person is
   * added. Null where nothing was to do. A failure is told in the log; the conversation goes on as it is.
   */
  async compactIfDue({ inspection }: OwnConversation, signal: AbortSignal): Promise<PreparedRun | null> {
    if (automationDecision(inspection) !== 'run') return null;
    const outcome = await this.models.toolsFor('automatic');
    if (outcome.kind === 'refused') {
      this.log.warn(`Nothing was compacted by itself: ${outcome.message}`);
      return null;
    }
    const run = await prepareAsSet(inspection, {
      strategy: readSettings().strategy,
      instructions: '',
      trigger: 'automatic',
      tools: outcome.tools,
      signal,
    });
    for (const failure of run.failures) this.log.warn(failure);
    if (run.records.length === 0) return null;
    await inspection.apply(run);
    return run;
  }
}
