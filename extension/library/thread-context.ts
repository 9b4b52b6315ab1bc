import type { BaseMessage } from '@langchain/core/messages';
import { LineJournal } from '../conversations/checkpoints/line-journal';
import { type AddedLines, type SavedLines, savedLines, startsWith } from '../conversations/checkpoints/saved-journals';
import { withSavedReplies } from '../conversations/checkpoints/saved-replies';
import { KnownEntries } from '../conversations/known-entries';
import { entryRecords } from '../conversations/requests/request-records';
import { type ConversationStore, memoryRecorded } from '../conversations/shelves/recorded';
import { Troubles } from '../conversations/troubles';
import { sameItems } from '../engine/conversation/same-items';
import type { Journal } from '../engine/journal/journal-access';
import type { JournalState } from '../engine/journal/journal-state';
import type { JournalRecord, SessionIdentity } from '../engine/journal/records';
import { wordingOf } from '../engine/wording/localizable-text';
import { langchainFormat } from '../middleware/formats/langchain';
import { receivedConversation } from '../middleware/recognition/received-entries';
import { turnsOf } from '../platform/files/in-turn';
import type { AgentContext, ContextStores } from './agent-context';
import { journalsIn, middlewareName, repliesIn, unusableText } from './agent-state';
import type { ContextOptions } from './options';

/** Names a thread of an agent, as its `invoke` does; with a `checkpoint_id`, the thread as it was then. */
export interface ThreadConfig {
  readonly configurable: {
    readonly thread_id: string;
    readonly checkpoint_id?: string;
    readonly [option: string]: unknown;
  };
}

/** The state of a thread, as `getState` of an agent gives it. */
interface ThreadSnapshot {
  readonly values: unknown;
  /** The nodes of the agent that run next. */
  readonly next: readonly string[];
}

/** A graph of LangGraph with a checkpointer, as far as `threadContext` needs it. */
export interface CheckpointedGraph {
  readonly checkpointer?: unknown;
  getState(config: ThreadConfig): Promise<unknown>;
  updateState(config: ThreadConfig, values: Record<string, unknown>, asNode?: string): Promise<unknown>;
}

/** An agent of `createAgent` or `createDeepAgent`, or its graph. */
export type CheckpointedAgent = CheckpointedGraph | { readonly graph: CheckpointedGraph };

/** As they were given to the middleware. */
export interface ThreadContextOptions extends Omit<ContextOptions, 'id' | 'journal' | 'conversation'> {
  /** Tenant. Absent: the agent has none. */
  readonly scope?: string;
  /** The name of the middleware. Absent: `StrataMiddleware`. */
  readonly name?: string;
}

/** Nothing was added to the journal in the state of a thread; the message names the thread and the reason. */
export class ThreadNotWritten extends Error {
  override name = 'ThreadNotWritten';
}

/**
 * The context of a thread whose journal is in the agent's own state: to pin, to compact, to undo, to look at it. It
 * works from every process that has the agent and its checkpointer. What it writes is a checkpoint of its own, which is
 * saved when the call resolves, and holds from the next request on. It must not be used while the agent runs in this
 * thread, because a run continues from the state that it began with. While the agent waits for a person (an interrupt),
 * it works.
 *
 * @example
 * const context = await threadContext(agent, { configurable: { thread_id: 'thread-7' } }, { window: 200_000 });
 * await context.pin('constraint', 'Never push.');
 */
export async function threadContext(
  agent: CheckpointedAgent,
  config: ThreadConfig,
  { scope, name = middlewareName, ...options }: ThreadContextOptions,
): Promise<AgentContext> {
  const [{ AgentContext }, { settingOf }] = await Promise.all([import('./agent-context'), import('./create-context')]);
  const setting = await settingOf(options);
  const thread = new Thread('graph' in agent ? agent.graph : agent, config, name, scope, setting.effects.now);
  await thread.refresh();
  const identity = { id: thread.journal.session.id, conversation: config.configurable.thread_id, scope };
  return new AgentContext(setting, thread, new Troubles(() => undefined), identity);
}

/** Maximum number of attempts. Others may write at the same time, but each time one writer succeeds. */
const mostTries = 20;

interface ReadThread {
  readonly snapshot: ThreadSnapshot;
  readonly saved: SavedLines;
  readonly hasMessages: boolean;
}

class Thread implements ContextStores {
  readonly journal: Journal;
  readonly conversation: ConversationStore;
  readonly #session: SessionIdentity;
  /** Names the newest checkpoint that was written here. */
  #config: ThreadConfig;
  #lines: LineJournal;
  #recorded = memoryRecorded();
  readonly #knownEntries = new KnownEntries();
  #hasNewRecords = false;

  constructor(
    private readonly graph: CheckpointedGraph,
    config: ThreadConfig,
    private readonly middleware: string,
    private readonly scope: string | undefined,
    private readonly now: () => string,
  ) {
    this.#config = config;
    this.#session = { agent: 'strata', id: config.configurable.thread_id, file: '' };
    this.#lines = new LineJournal({ lines: [], isReadable: true }, this.#session);
    this.conversation = this.#conversation();
    this.journal = this.#journal();
  }

  #conversation(): ConversationStore {
    const conversation = () => this.#recorded.conversation;
    return {
      get conversation() {
        return conversation();
      },
      refresh: () => this.refresh(),
      append: () => Promise.reject(new ThreadNotWritten('Messages come into a thread by its agent: call `invoke`.')),
    };
  }

  #journal(): Journal {
    const lines = () => this.#lines;
    return {
      get session() {
        return lines().session;
      },
      get state() {
        return lines().state;
      },
      // The newest state that the conversation has read is used.
      refresh: async () => {
        const hasNew = this.#hasNewRecords;
        this.#hasNewRecords = false;
        return hasNew;
      },
      append: (draft) => this.#inTurn(() => this.#append(draft)),
    };
  }

  /** Whether there were new messages. */
  refresh(): Promise<boolean> {
    return this.#inTurn(async () => (await this.#read()).hasMessages);
  }

  /** Updates of one thread run one after the other in this process: of two at once, LangGraph would make two branches. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { checkpointer } = this.graph;
    const shared = typeof checkpointer === 'object' && checkpointer !== null ? checkpointer : this.graph;
    return turnsOf(shared)(this.#id, work);
  }

  async #read(config = this.#config): Promise<ReadThread> {
    const snapshot = (await this.graph.getState(config)) as ThreadSnapshot;
    const values = (snapshot.values ?? {}) as Readonly<Record<string, unknown>>;
    const saved = savedLines(values[journalsIn(this.middleware)], this.scope);
    this.#takeLines(saved);
    const hasMessages = await this.#takeMessages(messagesIn(snapshot), values[repliesIn(this.middleware)]);
    return { snapshot, saved, hasMessages };
  }

  #takeLines(saved: SavedLines): void {
    const before = this.#lines;
    if (before.lines.length > 0 && saved.isReadable && startsWith(saved.lines, before.lines)) {
      this.#hasNewRecords ||= saved.lines.length > before.lines.length;
      before.take(saved.lines);
    } else {
      this.#lines = new LineJournal(saved, this.#session);
      this.#hasNewRecords = true;
    }
  }

  async #takeMessages(messages: readonly BaseMessage[], replies: unknown): Promise<boolean> {
    const received = langchainFormat.groupsOf(messages).map((group) => group.said);
    const entries = withSavedReplies(receivedConversation(received, this.now()).entries, replies);
    const isContinued = this.#known.prefixOf(entries) >= this.#known.path.length;
    if (!isContinued) this.#recorded = memoryRecorded();
    await this.#recorded.write(
      entryRecords({ conversation: this.#recorded.conversation, known: this.#known }, entries),
    );
    return await this.#recorded.refresh();
  }

  get #known(): KnownEntries {
    return this.#knownEntries.update(this.#recorded.conversation);
  }

  async #append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const { snapshot, saved } = await this.#read();
      const next = new LineJournal(saved, this.#session);
      if (!next.isSaved) throw new ThreadNotWritten(unusableText(this.#id, next));
      await next.append(draft);
      const from = saved.lines.length;
      const added = { scope: this.scope ?? null, from, lines: next.lines.slice(from) };
      if (added.lines.length === 0 || (await this.#isWritten(snapshot, added))) return;
    }
    throw new ThreadNotWritten(`The thread ${this.#id} could not be written to: others keep writing to it.`);
  }

  get #id(): string {
    return this.#config.configurable.thread_id;
  }

  /**
   * False if another writer wrote at the same place. LangGraph attributes an update to a node of the agent, which decides what runs next;
   * that must not change. Before the agent has run, the update would go to its entry node, which drops the state of a middleware.
   */
  async #isWritten(before: ThreadSnapshot, added: AddedLines): Promise<boolean> {
    const isBegun = messagesIn(before).length > 0;
    for (const part of isBegun ? [undefined, 'tools'] : ['model_request']) {
      const written = await this.#updated(added, part);
      if (written === null) continue;
      const { snapshot, saved } = await this.#read(this.#isAtCheckpoint ? written : this.#config);
      const there = saved.lines.slice(added.from);
      const isThere = startsWith(there, added.lines);
      if (isThere && (!isBegun || sameItems(snapshot.next, before.next))) {
        this.#followNewest();
        return true;
      }
      if (!isThere && there.length > 0) return false;
    }
    throw new ThreadNotWritten(
      `Nothing was written to the thread ${this.#id}: its last call of the model failed. Invoke the agent again first.`,
    );
  }

  /** Null if the agent has no such node. */
  async #updated(added: AddedLines, part: string | undefined): Promise<ThreadConfig | null> {
    try {
      const values = { [journalsIn(this.middleware)]: added };
      return (await this.graph.updateState(this.#config, values, part)) as ThreadConfig;
    } catch (error) {
      if (part === 'tools' && error instanceof Error && error.name === 'InvalidUpdateError') return null;
      const reason = wordingOf(error);
      throw new ThreadNotWritten(`The thread ${this.#id} could not be written to: ${reason}`, { cause: error });
    }
  }

  get #isAtCheckpoint(): boolean {
    return this.#config.configurable.checkpoint_id !== undefined;
  }

  /** Our own write is now the newest checkpoint of the thread, even if it follows an older one. */
  #followNewest(): void {
    const { checkpoint_id: _older, ...configurable } = this.#config.configurable;
    this.#config = { ...this.#config, configurable };
  }
}

function messagesIn({ values }: ThreadSnapshot): readonly BaseMessage[] {
  const { messages = [] } = (values ?? {}) as { readonly messages?: readonly BaseMessage[] };
  return messages;
}
