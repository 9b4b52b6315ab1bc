import { basename, dirname, join } from 'node:path';
import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry } from '../../../engine/conversation/entry';
import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { append } from '../../../platform/json/append';
import * as s from '../../../platform/json/schemas';
import { Tally } from '../../../platform/json/tally';
import { splitByAuthor } from '../../../sessions/injected/split-by-author';
import { IssueList } from '../../../sessions/records/issues';
import { titleOf } from '../../../sessions/records/title';
import { tooDeepIssues } from '../../../sessions/records/tool-input';
import type { ParsedSession } from '../../../sessions/session';
import { awaitsReply, contextOf, PlaceholderResults } from './context';
import type { JsonFile } from './json-file';
import { type Manifest, readManifest } from './manifest';
import { firstPrompt, type Message, type MessageFields, MessageReader, type UserMessageKind } from './messages';
import type { BuiltSession, SessionFiles, WholeFileBuilder } from './reading';
import { SentMessages } from './sent/sent-messages';

export const messagesEnd = '.messages.json';

const rootRecord = s.record({ sessionId: s.name, system_prompt: s.name, origin: s.record({ parentThreadId: s.name }) });
const compactionFile = s.record({ source_message_count: s.count, source_last_message_key: s.text, updated_at: s.name });

export function isCliSession(file: string): boolean {
  return file.endsWith(messagesEnd);
}

export function isSubagentFile(file: string): boolean {
  return basename(file).startsWith('agent_');
}

/** The manifest contains folder, title and status. The compaction file exists once the session was compacted. */
export function cliSidecars(file: string): { readonly manifest: string; readonly compaction: string } {
  const start = file.slice(0, -messagesEnd.length);
  return { manifest: `${start}.json`, compaction: `${start}.compaction.json` };
}

/** A session of Cline's command line, as of version 3.0.65. */
export class CliSessionBuilder implements WholeFileBuilder {
  readonly #messages: MessageReader;
  readonly #compacted: MessageReader;
  readonly #sent = new SentMessages();
  readonly #placeholders = new PlaceholderResults();
  readonly #sidecars: ReturnType<typeof cliSidecars>;

  constructor(
    private readonly file: string,
    private readonly isRunning: (pid: number) => boolean,
  ) {
    this.#sidecars = cliSidecars(file);
    this.#messages = new MessageReader(file, 'messages', userMessageKind);
    this.#compacted = new MessageReader(this.#sidecars.compaction, 'messages', userMessageKind, 'compacted:');
  }

  build({ messages: file, sidecars }: SessionFiles): BuiltSession {
    const root = s.read(rootRecord, file.value);
    const manifest = readManifest(sidecars.get(this.#sidecars.manifest)?.value, this.isRunning);
    const all = this.#messages.read(file);
    const sent = all.filter(({ fields }) => !fields.metadata.displayOnly);
    const compaction = this.#compaction(sidecars.get(this.#sidecars.compaction), sent);
    const prompt = this.#systemPrompt(root.system_prompt, file.text);
    const parsed = this.#parsed({ root, manifest, all, sent, compaction, prompt });
    return { parsed, inUse: manifest.isAtWork };
  }

  #parsed({ root, manifest, all, sent, compaction, prompt }: Found): ParsedSession {
    const issues = new IssueList(this.file);
    const applied = compaction.kind === 'applied' ? compaction : null;
    if (compaction.kind === 'stale') issues.add(0, compaction.message);
    const context = applied === null ? sent : [...applied.messages, ...sent.slice(applied.count)];
    const entries = entriesOf(all, applied, prompt);
    const edited = this.#sent.of(context, (reply) => wasRequestedBy(manifest, reply));
    const agentContext = this.#placeholders.named(contextOf(edited, prompt));
    const tooDeep = entries.flatMap((entry) => tooDeepIssues(entry.parts, entry.origin.line));
    return {
      agent: 'cline',
      id: root.sessionId ?? basename(this.file, messagesEnd),
      file: this.file,
      cwd: manifest.folder,
      title: manifest.title ?? titleOf(firstPrompt(entries)),
      model: entries.findLast(({ model }) => model !== undefined)?.model ?? manifest.model,
      ...parentIn(root, this.file),
      issues: issues.list(tooDeep),
      otherRecords: otherRecords(all, sent),
      conversation: splitByAuthor(
        { entries, agentContext, agentCompactions: applied === null ? [] : [compactionRecord(applied, sent)] },
        { haveFrames: true },
      ),
      awaitsReply: awaitsReply(sent),
    };
  }

  /** Cline uses a compaction only while the messages it was made from are unchanged. */
  #compaction(file: JsonFile | undefined, sent: readonly Message[]): FoundCompaction {
    const fields = s.read(compactionFile, file?.value);
    const { source_message_count: count, source_last_message_key: lastKey, updated_at: timestamp } = fields;
    if (file === undefined || count === null) return { kind: 'none' };
    const last = sent[count - 1];
    if (count > sent.length || (lastKey.startsWith('id:') && lastKey !== `id:${last?.fields.id}`)) {
      const message = localizable(
        'The compaction file of this session was made from other messages than it has now; Cline ignores it',
      );
      return { kind: 'stale', message };
    }
    const known = new Map(sent.slice(0, count).map((message) => [message.fields.id, message]));
    const messages = this.#compacted.read(file).map((message) => sameMessage(message, known));
    return { kind: 'applied', count, messages, last: last ?? null, timestamp };
  }

  #systemPrompt(prompt: string | null, text: string): Entry[] {
    if (prompt === null) return [];
    const end = text.lastIndexOf('"system_prompt"');
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
    const parts = [{ type: 'text' as const, text: prompt }];
    return [{ id: 'system', role: 'system', parts, timestamp: null, origin: { file: this.file, line } }];
  }
}

interface Found {
  readonly root: s.Read<typeof rootRecord>;
  readonly manifest: Manifest;
  readonly all: readonly Message[];
  /** Without messages for display only. */
  readonly sent: readonly Message[];
  readonly compaction: FoundCompaction;
  readonly prompt: readonly Entry[];
}

type FoundCompaction =
  | { readonly kind: 'none' }
  | { readonly kind: 'stale'; readonly message: LocalizableText }
  | AppliedCompaction;

interface AppliedCompaction {
  readonly kind: 'applied';
  /** Number of session messages it replaces, including those it keeps. */
  readonly count: number;
  /** The messages sent instead. */
  readonly messages: readonly Message[];
  /** The newest message it replaces. */
  readonly last: Message | null;
  readonly timestamp: string | null;
}

/** The session's own message if the compaction kept it unchanged. */
function sameMessage(message: Message, known: ReadonlyMap<string | null, Message>): Message {
  const original = known.get(message.fields.id);
  return original !== undefined && withoutWhitespace(original) === withoutWhitespace(message) ? original : message;
}

/** The two files may differ in indentation. */
function withoutWhitespace({ text }: Message): string {
  return text.replace(/\s+/gu, '');
}

export function userMessageKind({ metadata }: MessageFields): UserMessageKind {
  if (metadata.kind === 'compaction_summary') return 'summary';
  return metadata.displayRole === 'system' ? 'injected' : 'person';
}

/** The entries in file order. The messages that a compaction added follow the messages it replaced. */
function entriesOf(all: readonly Message[], applied: AppliedCompaction | null, prompt: readonly Entry[]): Entry[] {
  const entries = [...prompt];
  if (applied !== null && applied.last === null) append(entries, addedBy(applied, all));
  for (const message of all) {
    append(entries, message.entries);
    if (applied !== null && message === applied.last) append(entries, addedBy(applied, all));
  }
  return entries;
}

function addedBy(applied: AppliedCompaction, all: readonly Message[]): Entry[] {
  const own = new Set(all);
  return applied.messages.filter((message) => !own.has(message)).flatMap(({ entries }) => entries);
}

function compactionRecord(applied: AppliedCompaction, sent: readonly Message[]): AgentCompaction {
  const entries = applied.messages.flatMap((message) => message.entries);
  const kept = new Set(entries.map(({ id }) => id));
  const summary = entries.find((entry) => entry.summary === true) ?? entries[0];
  const replaced = sent.slice(0, applied.count).flatMap((message) => message.entries.map(({ id }) => id));
  return {
    id: 'compaction',
    kind: 'summary',
    timestamp: applied.timestamp,
    summaryEntryId: summary?.id ?? null,
    replacedEntryIds: replaced.filter((id) => !kept.has(id)),
    tokensBefore: null,
    tokensAfter: null,
    trigger: null,
    origin: summary?.origin ?? { file: '', line: 0 },
  };
}

/** Only replies since the process started belong to the requests of that process. */
function wasRequestedBy({ processSince }: Manifest, { fields }: Message): boolean {
  return processSince !== null && (fields.ts ?? 0) >= processSince;
}

/** A subagent's file is next to its parent's and names it. The call that started it is not recorded. */
function parentIn({ origin }: Found['root'], file: string): Pick<ParsedSession, 'parent'> {
  const parent = origin.parentThreadId;
  if (parent === null || !isSubagentFile(file)) return {};
  return { parent: { file: join(dirname(file), `${basename(parent)}${messagesEnd}`), callId: null } };
}

function otherRecords(all: readonly Message[], sent: readonly Message[]): Record<string, number> {
  const tally = new Tally();
  for (let left = all.length - sent.length; left > 0; left -= 1) tally.add('message/display only');
  for (const { fields } of sent) {
    if (fields.role !== 'user' && fields.role !== 'assistant') tally.add(`message/${fields.role ?? 'no role'}`);
  }
  return tally.counts();
}
