import { type Entry, type Origin, textOf } from '../../../engine/conversation/entry';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { addressText } from '../../../sessions/address';
import { splitByAuthor } from '../../../sessions/injected/split-by-author';
import { IssueList } from '../../../sessions/records/issues';
import { titleOf } from '../../../sessions/records/title';
import type { AgentId, ParentSession, ParsedSession, Subagent } from '../../../sessions/session';
import { agentCompactions } from './compactions';
import { contextOf } from './context';
import { type MessageEntries, messageEntries, type SessionIds } from './entries';
import { EntryIds } from './entry-ids';
import { type MessagePart, type StoredMessage, startedSession } from './message';
import { OrderedMessages } from './ordered-messages';
import type { SessionRow } from './rows';
import type { RowsRead } from './rows-read';

const revertRecord = s.record({ messageID: s.name, partID: s.name });
const modelRecord = s.record({ id: s.name });

/** Builds a session from the rows that were read. Unchanged messages keep their entries. */
export class SessionBuilding {
  readonly #messages = new OrderedMessages();
  readonly #entryIds = new EntryIds();
  readonly #ids: SessionIds = {
    callId: (part) => this.#callId(part),
    entryId: (kind, id) => this.#entryIds.of(kind, id),
  };

  constructor(
    private readonly agent: AgentId,
    private readonly file: string,
    private readonly rows: RowsRead,
    private readonly parent: ParentSession | null,
  ) {}

  /** Updates these messages from their rows. */
  take(touched: ReadonlySet<string>): void {
    const origin = this.#origin(this.rows.session);
    const changes = [...touched].map((id): [string, MessageEntries | null] => {
      const message = this.rows.message(id);
      return [id, message === undefined ? null : this.#entriesOf(message, origin)];
    });
    this.#messages.take(changes);
  }

  session(row: SessionRow, children: readonly SessionRow[]): ParsedSession {
    const origin = this.#origin(row.id);
    const kept = beforeRevert(this.#messages.all, row, (message) => this.#entriesOf(message, origin));
    const { entries } = this.#messages;
    const recorded = { entries, agentContext: contextOf(kept), agentCompactions: agentCompactions(kept, origin) };
    const conversation = splitByAuthor(recorded, { namePerson: true });
    return {
      agent: this.agent,
      id: row.id,
      file: origin.file,
      cwd: row.directory,
      title: titleIn(row, conversation.entries),
      model: modelIn(row, entries),
      ...(this.parent === null ? {} : { parent: this.parent }),
      subagents: this.#subagents(children),
      issues: this.#issues(origin.file),
      otherRecords: this.#messages.otherRecords(),
      conversation,
      awaitsReply: awaitsReply(kept),
    };
  }

  #entriesOf(message: StoredMessage, origin: Origin): MessageEntries {
    return messageEntries(message, origin, this.#ids);
  }

  #callId(part: MessagePart): string {
    const { callID: callId } = part.data;
    return callId !== null && this.rows.ownsCallId(callId, part.id) ? callId : `${callId ?? 'call'}#${part.id}`;
  }

  /** Database rows have no line. */
  #origin(key: string): Origin {
    return { file: addressText({ file: this.file, key }), line: 0 };
  }

  #subagents(children: readonly SessionRow[]): Subagent[] {
    if (children.length === 0) return [];
    const starts = this.#messages.all.flatMap((message) => message.starts);
    const calls = new Map(starts.map((part) => [startedSession(part), part]));
    return children.map(({ id, title }) => {
      const call = calls.get(id);
      const callId = call === undefined ? null : this.#callId(call);
      return { callId, file: addressText({ file: this.file, key: id }), title };
    });
  }

  #issues(address: string): ParsedSession['issues'] {
    const found = this.#messages.all.flatMap(({ issues }) => issues);
    return new IssueList(address).list([...found, ...this.rows.orphans()]);
  }
}

/**
 * The messages before the one that a person went back to. OpenCode deletes that message and the later ones only with the
 * next prompt, so that the person can return. If they went back to a part, the message is kept up to that part.
 */
function beforeRevert(
  messages: readonly MessageEntries[],
  row: SessionRow,
  make: (message: StoredMessage) => MessageEntries,
): readonly MessageEntries[] {
  const { messageID: messageId, partID: partId } = s.read(revertRecord, parsedJson(row.revert));
  const place = messageId === null ? -1 : messages.findIndex(({ message }) => message.id === messageId);
  const reverted = messages[place];
  if (reverted === undefined) return messages;
  const before = messages.slice(0, place);
  if (partId === null) return before;
  const { message } = reverted;
  const cut = message.parts.findIndex(({ id }) => id === partId);
  return [...before, cut < 0 ? reverted : make({ ...message, parts: message.parts.slice(0, cut) })];
}

/** OpenCode's title for a session until a model has written one. */
const placeholderTitle = /^(New|Child) session - \d{4}-\d\d-\d\dT/;

/** The title that a person or a model gave the session; null if there is none yet. */
export function givenTitle({ title }: SessionRow): string | null {
  return title === null || placeholderTitle.test(title) ? null : titleOf(title);
}

function titleIn(row: SessionRow, entries: readonly Entry[]): string | null {
  const given = givenTitle(row);
  if (given !== null) return given;
  const first = entries.find((entry) => entry.role === 'user' && !entry.injected);
  return first === undefined ? null : titleOf(textOf(first.parts));
}

function modelIn({ model }: SessionRow, entries: readonly Entry[]): string | null {
  return (
    s.read(modelRecord, parsedJson(model)).id ?? entries.findLast((entry) => entry.model !== undefined)?.model ?? null
  );
}

/** Whether the newest message is a prompt, an incomplete reply, or a reply that ended with tool calls. */
function awaitsReply(messages: readonly MessageEntries[]): boolean {
  const last = messages.at(-1)?.message;
  if (last === undefined) return false;
  if (last.data.role !== 'assistant') return last.data.role === 'user';
  if (last.data.error !== null) return false;
  return last.data.time.completed === null || last.data.finish === 'tool-calls';
}
