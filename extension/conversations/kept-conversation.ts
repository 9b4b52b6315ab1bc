import type { Conversation } from '../engine/conversation/conversation';
import type { TokenLedger } from '../engine/conversation/tokens';
import type { Workbench } from '../engine/run/workbench';
import { LocalizableError, localizable } from '../engine/wording/localizable-text';
import type { ConversationRecord } from '../sessions/strata/records';
import type { AutomaticCompaction } from './compaction/automatic-compaction';
import type { RecordedConversation } from './shelves/recorded';

/** Others may go on in the conversation at the very same time. */
const mostTries = 10;

/** Others kept going on elsewhere in the conversation; nothing was sent. */
export class PlaceNotKept extends LocalizableError {
  override name = 'PlaceNotKept';
}

/** A conversation that requests are kept in, with its journal: on disk or in memory. */
export class KeptConversation<W extends Workbench = Workbench> {
  /** Ids of the messages that were written here. */
  readonly #written = new Set<string>();
  readonly #entriesAtFirst: number;

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

  get ledger(): TokenLedger {
    return this.workbench.ledger;
  }

  /** Who answered last; null while nobody has. */
  get model(): string | null {
    return this.recorded.model;
  }

  /** Of that model, in tokens; null where nobody says. */
  get contextWindow(): number | null {
    return this.recorded.contextWindow;
  }

  /** The newest message that would be sent now; null while there is none. */
  get leaf(): string | null {
    const last = this.conversation.agentContext.at(-1);
    return !last || last.role === 'system' ? null : last.id;
  }

  /** How many of the messages somebody else has written since this was opened: another window, or another part of Strata. */
  get writtenByOthers(): number {
    const added = this.conversation.entries.slice(this.#entriesAtFirst);
    return added.filter(({ id }) => !this.#written.has(id)).length;
  }

  /** Takes in what others wrote to the conversation and to its journal. */
  async refresh(): Promise<void> {
    await this.workbench.refresh();
  }

  /**
   * Makes the context end with this entry: the person went back, or another window went on in this conversation
   * meanwhile. What came after it stays in the conversation, on a branch of its own. Says whether that was needed.
   */
  async goTo(leaf: string | null): Promise<boolean> {
    await this.refresh();
    if (this.leaf === leaf) return false;
    for (let tries = 0; tries < mostTries; tries += 1) {
      await this.append([{ type: 'leaf', id: leaf }]);
      if (this.leaf === leaf) return true;
    }
    throw new PlaceNotKept(
      localizable('Another window keeps writing to the conversation {0}. Nothing was sent; send it again.', this.id),
    );
  }

  /** All of the records or none of them; afterwards the context holds them. */
  async append(records: readonly ConversationRecord[]): Promise<void> {
    for (const id of records.flatMap(idsOf)) this.#written.add(id);
    await this.recorded.write(records);
    await this.refresh();
  }
}

function idsOf(record: ConversationRecord): string[] {
  if (record.type === 'piece') return [record.id];
  return record.type === 'entry' || record.type === 'system' ? [record.entry.id] : [];
}
