import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { StrataBuilder } from '../../sessions/strata/builder';
import type { ConversationRecord } from '../../sessions/strata/records';
import { newestMessage } from '../requests/system-prompt';

/** What a message is kept as, before it has a place in a file. */
export type NewEntry = Omit<Entry, 'origin'>;

/** Where the messages of one conversation are kept. They are only ever added to. */
export interface ConversationStore {
  /** Another value after each change, which shares all old entries with the one before. */
  readonly conversation: Conversation;
  /** Takes in what others appended since; says whether there was anything. */
  refresh(): Promise<boolean>;
  /** All of them or none. */
  append(entries: readonly NewEntry[]): Promise<void>;
}

/** What the records of a conversation come to. */
export interface RecordedState {
  readonly conversation: Conversation;
  /** Who answers; null while nobody has said. */
  readonly model: string | null;
  /** Of that model, in tokens; null where nobody says. */
  readonly contextWindow: number | null;
}

/** A conversation that is kept as records: its agent may go back in it, and begin again from there. */
export interface RecordedConversation extends ConversationStore, RecordedState {
  /** All of the records or none of them. */
  write(records: readonly ConversationRecord[]): Promise<void>;
}

/** Where records go, and what they come to with those of others. */
export interface Recording {
  write(records: readonly ConversationRecord[]): Promise<void>;
  read(): Promise<RecordedState>;
}

/** The conversation of a recording, as it was when it was read last. */
export function recorded(recording: Recording, opened: RecordedState): RecordedConversation {
  let known = opened;
  const refresh = async () => {
    const state = await recording.read();
    const isNew = !isSame(state, known);
    if (isNew) known = state;
    return isNew;
  };
  const write = async (records: readonly ConversationRecord[]) => {
    if (records.length > 0) await recording.write(records);
  };
  return {
    get conversation() {
      return known.conversation;
    },
    get model() {
      return known.model;
    },
    get contextWindow() {
      return known.contextWindow;
    },
    refresh,
    write,
    async append(entries) {
      await refresh();
      await write(appendingRecords(known.conversation, entries));
      await refresh();
    },
  };
}

/** A conversation that lasts as long as the program. */
export function memoryRecorded(): RecordedConversation {
  const builder = new StrataBuilder('');
  let state: RecordedState | null = null;
  const read = () => {
    state ??= stateOf(builder.session());
    return state;
  };
  const recording: Recording = {
    async write(records) {
      state = null;
      for (const record of records) builder.acceptRecord({ ...record }, 0);
    },
    read: async () => read(),
  };
  return recorded(recording, read());
}

/** Messages that last as long as the program. */
export function memoryConversation(): ConversationStore {
  return memoryRecorded();
}

export function stateOf(session: {
  readonly conversation: Conversation;
  readonly model: string | null;
  readonly contextWindow?: number;
}): RecordedState {
  return { conversation: session.conversation, model: session.model, contextWindow: session.contextWindow ?? null };
}

/** Each behind the one before, and the first behind the newest message. */
function appendingRecords(conversation: Conversation, entries: readonly NewEntry[]): ConversationRecord[] {
  let parent = newestMessage(conversation);
  return entries.map((entry) => {
    const record = { type: 'entry', parent, entry } as const;
    parent = entry.id;
    return record;
  });
}

/** Conversations share what has not changed, and change at their ends. */
function isSame(a: RecordedState, b: RecordedState): boolean {
  return (
    a.model === b.model &&
    a.contextWindow === b.contextWindow &&
    a.conversation.entries.length === b.conversation.entries.length &&
    a.conversation.entries.at(-1) === b.conversation.entries.at(-1) &&
    a.conversation.agentContext.length === b.conversation.agentContext.length &&
    a.conversation.agentContext.at(-1) === b.conversation.agentContext.at(-1)
  );
}
