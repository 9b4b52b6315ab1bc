import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { StrataBuilder } from '../../sessions/strata/builder';
import type { ConversationRecord } from '../../sessions/strata/records';
import { isSystemPrompt, newestMessage } from '../requests/system-prompt';

/** A message before it has an origin in a file. */
export type NewEntry = Omit<Entry, 'origin'>;

/** The stored messages of one conversation. Append-only. */
export interface ConversationStore {
  /** A new value after each change; it shares all old entries with the previous one. */
  readonly conversation: Conversation;
  /** Reads what other processes have appended. Returns whether there was anything. */
  refresh(): Promise<boolean>;
  /** Writes all of them or none. */
  append(entries: readonly NewEntry[]): Promise<void>;
}

/** The state that the records of a conversation result in. */
export interface RecordedState {
  readonly conversation: Conversation;
  /** The model that answers; null if not recorded yet. */
  readonly model: string | null;
  /** Context window of that model in tokens; null if unknown. */
  readonly contextWindow: number | null;
  /** Windows of models as their providers’ refusals corrected them. */
  readonly limits: ReadonlyMap<string, number>;
}

/** A conversation that is stored as records. Its agent may return to an earlier message and continue from there. */
export interface RecordedConversation extends ConversationStore, RecordedState {
  /** Writes all of the records or none. `refresh` reads them. */
  write(records: readonly ConversationRecord[]): Promise<void>;
}

/** Stores records, and gives the state that results from all of them. */
interface Recording {
  /** Resolves to the state with these records if it is known without reading. */
  write(records: readonly ConversationRecord[]): Promise<RecordedState | undefined>;
  read(): Promise<RecordedState>;
}

/** The conversation of a recording, as last read. */
export function recorded(recording: Recording, opened: RecordedState): RecordedConversation {
  let known = opened;
  /** The state after a write; the next refresh needs to read nothing. */
  let written: RecordedState | undefined;
  const refresh = async () => {
    const state = written ?? (await recording.read());
    written = undefined;
    const isNew = !isSame(state, known);
    if (isNew) known = state;
    return isNew;
  };
  const write = async (records: readonly ConversationRecord[]) => {
    if (records.length > 0) written = await recording.write(records);
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
    get limits() {
      return known.limits;
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

/** A conversation in memory that begins with these records. */
export function memoryRecorded(begun: readonly ConversationRecord[] = []): RecordedConversation {
  const builder = new StrataBuilder('');
  for (const record of begun) builder.acceptWritten(record, 0);
  let state: RecordedState | null = null;
  const read = () => {
    state ??= stateOf(builder.session());
    return state;
  };
  const recording: Recording = {
    async write(records) {
      state = null;
      for (const record of records) builder.acceptRecord({ ...record }, 0);
      return undefined;
    },
    read: async () => read(),
  };
  return recorded(recording, read());
}

/** Records of the present path of a conversation, without abandoned branches. */
export function recordsOf({ conversation, model, contextWindow, limits }: RecordedState): ConversationRecord[] {
  const { entries, agentContext } = conversation;
  const systems = entries.filter(isSystemPrompt).map((entry) => ({ type: 'system', entry }) as const);
  const ids = new Set(entries.map(({ id }) => id));
  // The context may have results that are in no record.
  const path = agentContext.filter((entry) => ids.has(entry.id) && !isSystemPrompt(entry));
  const messages = path.map((entry, index) => {
    return { type: 'entry', parent: path[index - 1]?.id ?? null, entry } as const;
  });
  const modelRecords = model === null ? [] : [{ type: 'model', model, contextWindow } as const];
  const corrected = [...limits].map(([of, limit]) => ({ type: 'limit', model: of, contextWindow: limit }) as const);
  return [...modelRecords, ...corrected, ...systems, ...messages];
}

/** Messages in memory. */
export function memoryConversation(): ConversationStore {
  return memoryRecorded();
}

export function stateOf(session: {
  readonly conversation: Conversation;
  readonly model: string | null;
  readonly contextWindow?: number;
  readonly limits?: ReadonlyMap<string, number>;
}): RecordedState {
  const { conversation, model, contextWindow = null, limits = noLimits } = session;
  return { conversation, model, contextWindow, limits };
}

const noLimits: ReadonlyMap<string, number> = new Map();

/** Chains the messages: each follows the one before, and the first follows the newest message. */
export function appendingRecords(
  conversation: Pick<Conversation, 'agentContext'>,
  entries: readonly NewEntry[],
): ConversationRecord[] {
  let parent = newestMessage(conversation);
  return entries.map((entry) => {
    const record = { type: 'entry', parent, entry } as const;
    parent = entry.id;
    return record;
  });
}

/** Appends without copying; conversations share unchanged entries. */
function isSame(a: RecordedState, b: RecordedState): boolean {
  return (
    a.model === b.model &&
    a.contextWindow === b.contextWindow &&
    a.limits === b.limits &&
    a.conversation.entries.length === b.conversation.entries.length &&
    a.conversation.entries.at(-1) === b.conversation.entries.at(-1) &&
    a.conversation.agentContext.length === b.conversation.agentContext.length &&
    a.conversation.agentContext.at(-1) === b.conversation.agentContext.at(-1)
  );
}
