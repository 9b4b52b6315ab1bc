import { resolve } from 'node:path';
import type { Context } from '../engine/conversation/context';
import type { Conversation } from '../engine/conversation/conversation';
import type { TokenLedger } from '../engine/conversation/tokens';
import type { JournalState } from '../engine/journal/journal-state';
import { ConversationFile } from '../sessions/strata/conversation-file';
import { conversationPath } from '../sessions/strata/places';
import type { ConversationRecord, HeaderRecord } from '../sessions/strata/records';
import { Inspection } from './inspection';
import { openJournal } from './journal-store';

/** Other windows may go on in the conversation at the very same time. */
const mostTries = 10;

/** Others kept going on elsewhere in the conversation; nothing was sent. */
export class PlaceNotKept extends Error {
  override name = 'PlaceNotKept';
}

/** Where Strata keeps its own conversations, and the journals of all. */
export interface OwnFolders {
  readonly conversations: string;
  readonly journals: string;
}

/**
 * A conversation that Strata keeps itself, together with its journal: what a request of the chat participant or of a
 * Strata model is made from. Both are on disk, so the panel and other windows see the same.
 */
export class OwnConversation {
  /** Ids of the messages that were written here. */
  readonly #written = new Set<string>();
  #writtenByOthers = 0;

  private constructor(
    private readonly file: ConversationFile,
    readonly inspection: Inspection,
  ) {}

  static async create(
    folders: OwnFolders,
    header: Omit<HeaderRecord, 'type' | 'version'>,
    fallbackWindow: number,
  ): Promise<OwnConversation> {
    const file = await ConversationFile.create(pathOf(folders, header.id), header);
    return await OwnConversation.#of(file, folders, fallbackWindow);
  }

  /** Throws `ConversationNotRead` where there is no such conversation, or none that can be read. */
  static async open(folders: OwnFolders, id: string, fallbackWindow: number): Promise<OwnConversation> {
    const file = await ConversationFile.open(pathOf(folders, id));
    return await OwnConversation.#of(file, folders, fallbackWindow);
  }

  static async #of(file: ConversationFile, folders: OwnFolders, fallbackWindow: number): Promise<OwnConversation> {
    const session = await file.session();
    const journal = await openJournal(folders.journals, { agent: session.agent, id: session.id, file: file.path });
    return new OwnConversation(file, await Inspection.of(session, journal, fallbackWindow));
  }

  get id(): string {
    return this.inspection.session.id;
  }

  get conversation(): Conversation {
    return this.inspection.session.conversation;
  }

  get model(): string | null {
    return this.inspection.session.model;
  }

  get contextWindow(): number | null {
    return this.inspection.session.contextWindow ?? null;
  }

  get context(): Context {
    return this.inspection.context;
  }

  get state(): JournalState {
    return this.inspection.journal.state;
  }

  get ledger(): TokenLedger {
    return this.inspection.ledger;
  }

  get path(): string {
    return this.file.path;
  }

  /** The newest message that would be sent now; null while there is none. */
  get leaf(): string | null {
    const last = this.inspection.session.conversation.agentContext.at(-1);
    return !last || last.role === 'system' ? null : last.id;
  }

  /** How many of the messages somebody else has written since this was opened: another window, or another part of Strata. */
  get writtenByOthers(): number {
    return this.#writtenByOthers;
  }

  /** Takes in what other windows wrote to the conversation and to its journal. */
  async refresh(): Promise<void> {
    const before = this.inspection.session.conversation.entries.length;
    this.inspection.session = await this.file.session();
    const added = this.inspection.session.conversation.entries.slice(before);
    this.#writtenByOthers += added.filter(({ id }) => !this.#written.has(id)).length;
    await this.inspection.journal.refresh();
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
    throw new PlaceNotKept(`Another window goes on in ${this.path} all the time. Nothing was sent; send it again.`);
  }

  /** All of the records or none of them; afterwards the context holds them. */
  async append(records: readonly ConversationRecord[]): Promise<void> {
    for (const id of records.flatMap(idsOf)) this.#written.add(id);
    await this.file.append(records);
    await this.refresh();
  }
}

function idsOf(record: ConversationRecord): string[] {
  if (record.type === 'piece') return [record.id];
  return record.type === 'entry' || record.type === 'system' ? [record.entry.id] : [];
}

/** An id out of a chat's stored metadata is no path. */
function pathOf({ conversations }: OwnFolders, id: string): string {
  return resolve(conversationPath(conversations, id));
}
