import type { Conversation } from '../engine/conversation/conversation';
import type { TokenLedger } from '../engine/conversation/tokens';
import type { Workbench } from '../engine/run/workbench';
import { LocalizableError, localizable } from '../engine/wording/localizable-text';
import type { ConversationRecord } from '../sessions/strata/records';
import type { AutomaticCompaction } from './compaction/automatic-compaction';
import { KnownEntries } from './known-entries';
import type { RecordedConversation } from './shelves/recorded';

/** Other processes may write to the conversation at the same time. */
const mostTries = 10;

/** Another process kept moving the end of the conversation; nothing was sent. */
class MovedByOthers extends LocalizableError {
  override name = 'MovedByOthers';
}

/** A conversation that stores requests, with its journal; on disk or in memory. */
export class ServedConversation<W extends Workbench = Workbench> {
  /** Ids of the messages that this process wrote. */
  readonly #written = new Set<string>();
  readonly #entriesAtFirst: number;
  readonly #known = new KnownEntries();

  constructor(
    readonly id: string,
    private readonly recorded: RecordedConversation,
    readonly workbench: W,
    readonly automatic: AutomaticCompaction,
  ) {
    this.#entriesAtFirst = workbench.conversation.entries.length;
  }

  get conversation(): Conversation {
    return this.workbench.conversation;
  }

  get known(): KnownEntries {
    return this.#known.update(this.conversation);
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.known.bytes;
  }

  get ledger(): TokenLedger {
    return this.workbench.ledger;
  }

  /** The model that answered last; null before the first answer. */
  get model(): string | null {
    return this.recorded.model;
  }

  /** Context window of that model in tokens; null if unknown. */
  get contextWindow(): number | null {
    return this.recorded.contextWindow;
  }

  /** The largest request that a model accepts in this conversation, in tokens, if its provider refused a longer one. */
  limitOf(model: string): number | undefined {
    return this.recorded.limits.get(model);
  }

  /** Id of the newest message of the context; null if there is none. */
  get leaf(): string | null {
    const last = this.conversation.agentContext.at(-1);
    return !last || last.role === 'system' ? null : last.id;
  }

  /** Number of messages that others have written since this was opened: another window, or another part of Strata. */
  get writtenByOthers(): number {
    const added = this.conversation.entries.slice(this.#entriesAtFirst);
    return added.filter(({ id }) => !this.#written.has(id)).length;
  }

  /** Reads what others have written to the conversation and its journal. */
  async refresh(): Promise<void> {
    await this.workbench.refresh();
  }

  /**
   * Makes the context end with this entry, because the person went back or another window has written to this
   * conversation. Later messages stay in the conversation as a branch. Returns whether anything changed.
   */
  async goTo(leaf: string | null): Promise<boolean> {
    await this.refresh();
    if (this.leaf === leaf) return false;
    for (let tries = 0; tries < mostTries; tries += 1) {
      await this.append([{ type: 'leaf', id: leaf }]);
      if (this.leaf === leaf) return true;
    }
    throw new MovedByOthers(
      localizable('Another window keeps writing to the conversation {0}. Nothing was sent; send it again.', this.id),
    );
  }

  /** Writes all of the records or none, and then adds them to the context. Journal records that others wrote are read by `refresh`. */
  async append(records: readonly ConversationRecord[]): Promise<void> {
    for (const id of records.flatMap(idsOf)) this.#written.add(id);
    await this.recorded.write(records);
    await this.workbench.refreshMessages();
  }
}

function idsOf(record: ConversationRecord): string[] {
  if (record.type === 'piece') return [record.id];
  return record.type === 'entry' || record.type === 'system' ? [record.entry.id] : [];
}
