import { randomUUID } from 'node:crypto';
import { AutomaticCompaction } from '../../conversations/compaction/automatic-compaction';
import type { CompactionSettings } from '../../conversations/compaction/settings';
import { OpenConversations } from '../../conversations/open-conversations';
import type { RequestStore } from '../../conversations/requests/conversation-finder';
import { keyedBeginning } from '../../conversations/requests/identity';
import { ServedConversation } from '../../conversations/served-conversation';
import {
  type ConversationFolders,
  type FiledConversation,
  FiledConversations,
} from '../../conversations/shelves/filed-conversations';
import type { CompactingThreads } from '../../conversations/threads/compacting-threads';
import { Troubles } from '../../conversations/troubles';
import { Inspection } from '../../inspection/inspection';
import type { Beginning, ConversationMaker } from '../../sessions/strata/records';
import { toolsWithoutModel } from '../../summarizers/without-model';
import type { ModelAccess } from '../models/model-access';
import type { Settings } from '../settings';
import type { CompactionWishes } from '../tools/compaction-wishes';

/** One of Strata's own conversations, on disk, where the panel and other windows see it too. */
export type EditorConversation = ServedConversation<Inspection>;

export interface EditorConversationParts {
  readonly folders: ConversationFolders;
  readonly models: Pick<ModelAccess, 'toolsFor'>;
  /** Compactions that agents asked for. */
  readonly wishes: CompactionWishes;
  readonly settings: () => CompactionSettings & Pick<Settings, 'fallbackContextWindow'>;
  /** The folder in which the person works; null if none is open. */
  readonly cwd: () => string | null;
  /** Counts tokens and prepares compactions elsewhere. Absent: this thread does. */
  readonly threads?: Pick<CompactingThreads, 'background'>;
  readonly warn: (message: string) => void;
  /** Called with the reason why automatic compaction by cost starts or waits. */
  readonly onSchedule?: (sentence: string) => void;
}

/** Strata's own conversations. Each is opened once in this window and compacted according to the person's settings. */
export class EditorConversations {
  readonly #open = new OpenConversations<EditorConversation>();
  readonly #files: FiledConversations;
  readonly #troubles: Troubles;

  constructor(private readonly parts: EditorConversationParts) {
    const { folders, warn } = parts;
    this.#files = new FiledConversations(folders, warn);
    this.#troubles = new Troubles(warn);
  }

  get folders(): ConversationFolders {
    return this.parts.folders;
  }

  create(madeBy: ConversationMaker, begins?: string): Promise<EditorConversation> {
    const id = randomUUID();
    const header = { id, time: new Date().toISOString(), cwd: this.parts.cwd(), madeBy };
    const filing = this.#files.create(begins === undefined ? header : { ...header, begins });
    return this.#open.take(id, this.#served(id, filing));
  }

  /** Throws `SessionGone` if no conversation has this id, and `ConversationNotRead` if it cannot be read. */
  open(id: string): Promise<EditorConversation> {
    return this.#open.open(id, () => this.#served(id, this.#files.open(id)));
  }

  /** For requests whose conversations are recognized by their beginnings. */
  store(madeBy: ConversationMaker): RequestStore<EditorConversation> {
    return {
      beginnings: (begins) => this.#files.beginnings(begins),
      create: (begins) => this.create(madeBy, begins),
      open: (id) => this.open(id),
      keyed: (key, scope) => this.#keyed(keyedBeginning(key, scope, new Date().toISOString()), madeBy),
    };
  }

  #keyed({ created: time, id, begins, key }: Beginning, madeBy: ConversationMaker): Promise<EditorConversation> {
    const header = { id, begins, time, cwd: this.parts.cwd(), madeBy, ...(key === undefined ? {} : { key }) };
    return this.#open.open(id, () => this.#served(id, this.#files.openOrCreate(header)));
  }

  async #served(id: string, filing: Promise<FiledConversation>): Promise<EditorConversation> {
    const filed = await filing;
    const { settings, models, wishes, threads } = this.parts;
    const current = {
      get session() {
        return filed.session;
      },
      refresh: () => filed.conversation.refresh(),
    };
    const { fallbackContextWindow } = settings();
    const workbench = await Inspection.over(current, filed.journal, fallbackContextWindow, threads?.background());
    const automatic = new AutomaticCompaction({
      workbench,
      settings,
      tools: () => models.toolsFor('automatic'),
      withoutModel: toolsWithoutModel,
      troubles: this.#troubles,
      now: () => new Date().toISOString(),
      onSchedule: (sentence) => this.parts.onSchedule?.(String(sentence)),
      takeWish: () => wishes.take(filed.session.file) !== null,
    });
    return new ServedConversation(id, filed.conversation, workbench, automatic);
  }
}
