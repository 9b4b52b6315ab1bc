import { basename, dirname, join } from 'node:path';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import { type Entry, textOf } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { IssueList } from '../records/issues';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import type { ParsedSession } from '../session';
import { awaitsReply, contextOf, MadeUpResults } from './context';
import type { JsonFile } from './json-file';
import { type Manifest, readManifest } from './manifest';
import { type Message, MessageReader, type Standing } from './messages';
import type { MadeSession, SessionFiles, SessionMaker } from './reading';
import { SentMessages } from './sent/sent-messages';

export const messagesEnd = '.messages.json';

export function isCliSession(file: string): boolean {
  return file.endsWith(messagesEnd);
}

export function isSubagentFile(file: string): boolean {
  return basename(file).startsWith('agent_');
}

/** The manifest tells folder, title and status; the sidecar is there once the session was compacted. */
export function cliFilesBeside(file: string): { readonly manifest: string; readonly sidecar: string } {
  const start = file.slice(0, -messagesEnd.length);
  return { manifest: `${start}.json`, sidecar: `${start}.compaction.json` };
}

/** A session of Cline's command line, as of version 3.0.65. */
export class CliSessionMaker implements SessionMaker {
  readonly #messages: MessageReader;
  readonly #compacted: MessageReader;
  readonly #sent = new SentMessages();
  readonly #madeUp = new MadeUpResults();
  readonly #beside: ReturnType<typeof cliFilesBeside>;

  constructor(
    private readonly file: string,
    private readonly isRunning: (pid: number) => boolean,
  ) {
    this.#beside = cliFilesBeside(file);
    this.#messages = new MessageReader(file, 'messages', standingOf);
    this.#compacted = new MessageReader(this.#beside.sidecar, 'messages', standingOf, 'compacted:');
  }

  make({ messages: file, beside }: SessionFiles): MadeSession {
    const root = asRecord(file.value) ?? {};
    const manifest = readManifest(beside.get(this.#beside.manifest)?.value, this.isRunning);
    const all = this.#messages.read(file.text);
    const sent = all.filter(({ fields }) => asRecord(fields.metadata)?.displayOnly !== true);
    const compaction = this.#compaction(beside.get(this.#beside.sidecar), sent);
    const prompt = this.#systemPrompt(root, file.text);
    const parsed = this.#parsed({ root, manifest, all, sent, compaction, prompt });
    return { parsed, inUse: manifest.isAtWork };
  }

  #parsed({ root, manifest, all, sent, compaction, prompt }: Found): ParsedSession {
    const issues = new IssueList(this.file);
    const applied = compaction.kind === 'applied' ? compaction : null;
    if (compaction.kind === 'stale') issues.add(0, compaction.message);
    const context = applied === null ? sent : [...applied.messages, ...sent.slice(applied.count)];
    const entries = entriesOf(all, applied, prompt);
    const edited = this.#sent.of(context, (reply) => wasAskedBy(manifest, reply));
    const agentContext = this.#madeUp.named(contextOf(edited, prompt));
    const tooDeep = entries.flatMap((entry) => tooDeepIssues(entry.parts, entry.origin.line));
    return {
      agent: 'cline',
      id: asName(root.sessionId) ?? basename(this.file, messagesEnd),
      file: this.file,
      cwd: manifest.folder,
      title: manifest.title ?? firstPrompt(entries),
      model: lastWhere(entries, ({ model }) => model !== undefined)?.model ?? manifest.model,
      ...parentIn(root, this.file),
      issues: issues.list(tooDeep),
      otherRecords: otherRecords(all, sent),
      conversation: {
        entries,
        agentContext,
        agentCompactions: applied === null ? [] : [compactionRecord(applied, sent)],
      },
      awaitsReply: awaitsReply(sent),
    };
  }

  /** Cline uses a compaction only while the messages that it was made of are still the same. */
  #compaction(sidecar: JsonFile | undefined, sent: readonly Message[]): FoundCompaction {
    const fields = asRecord(sidecar?.value);
    const count = asCount(fields?.source_message_count);
    if (sidecar === undefined || fields === null || count === null) return { kind: 'none' };
    const lastKey = asName(fields.source_last_message_key);
    const last = sent[count - 1];
    if (count > sent.length || (lastKey?.startsWith('id:') && lastKey !== `id:${asName(last?.fields.id)}`)) {
      const message =
        'The compaction beside this session was made of other messages than are here now; Cline leaves it out';
      return { kind: 'stale', message };
    }
    const known = new Map(sent.slice(0, count).map((message) => [asName(message.fields.id), message]));
    const messages = this.#compacted.read(sidecar.text).map((message) => sameMessage(message, known));
    return { kind: 'applied', count, messages, last: last ?? null, fields };
  }

  #systemPrompt(root: JsonRecord, text: string): Entry[] {
    const prompt = asName(root.system_prompt);
    if (prompt === null) return [];
    const at = text.lastIndexOf('"system_prompt"');
    const line = text.slice(0, Math.max(0, at)).split('\n').length;
    const parts = [{ type: 'text' as const, text: prompt }];
    return [{ id: 'system', role: 'system', parts, timestamp: null, origin: { file: this.file, line } }];
  }
}

interface Found {
  readonly root: JsonRecord;
  readonly manifest: Manifest;
  readonly all: readonly Message[];
  /** Without those that are only for display. */
  readonly sent: readonly Message[];
  readonly compaction: FoundCompaction;
  readonly prompt: readonly Entry[];
}

type FoundCompaction =
  | { readonly kind: 'none' }
  | { readonly kind: 'stale'; readonly message: string }
  | AppliedCompaction;

interface AppliedCompaction {
  readonly kind: 'applied';
  /** How many messages of the session it stands for, kept ones included. */
  readonly count: number;
  /** What is sent for them. */
  readonly messages: readonly Message[];
  /** The newest of the messages that it stands for. */
  readonly last: Message | null;
  readonly fields: JsonRecord;
}

/** A message that the compaction kept is the one of the session, if it says the same. */
function sameMessage(message: Message, known: ReadonlyMap<string | null, Message>): Message {
  const original = known.get(asName(message.fields.id));
  return original !== undefined && squeezed(original) === squeezed(message) ? original : message;
}

/** Two files may be indented otherwise. */
function squeezed({ text }: Message): string {
  return text.replace(/\s+/gu, '');
}

function standingOf({ metadata }: JsonRecord): Standing {
  const fields = asRecord(metadata);
  if (fields?.kind === 'compaction_summary') return 'summary';
  return fields?.displayRole === 'system' ? 'injected' : 'person';
}

/** In the order of the file; what a compaction made stands behind the messages that it was made of. */
function entriesOf(all: readonly Message[], applied: AppliedCompaction | null, prompt: readonly Entry[]): Entry[] {
  const entries = [...prompt];
  if (applied !== null && applied.last === null) append(entries, madeBy(applied, all));
  for (const message of all) {
    append(entries, message.entries);
    if (applied !== null && message === applied.last) append(entries, madeBy(applied, all));
  }
  return entries;
}

function madeBy(applied: AppliedCompaction, all: readonly Message[]): Entry[] {
  const own = new Set(all);
  return applied.messages.filter((message) => !own.has(message)).flatMap(({ entries }) => entries);
}

function compactionRecord(applied: AppliedCompaction, sent: readonly Message[]): AgentCompaction {
  const made = applied.messages.flatMap(({ entries }) => entries);
  const kept = new Set(made.map(({ id }) => id));
  const summary = made.find((entry) => entry.summary === true) ?? made[0];
  const replaced = sent.slice(0, applied.count).flatMap(({ entries }) => entries.map(({ id }) => id));
  return {
    id: 'compaction',
    kind: 'summary',
    timestamp: asName(applied.fields.updated_at),
    summaryEntryId: summary?.id ?? null,
    replacedEntryIds: replaced.filter((id) => !kept.has(id)),
    tokensBefore: null,
    tokensAfter: null,
    trigger: null,
    origin: summary?.origin ?? { file: '', line: 0 },
  };
}

function firstPrompt(entries: readonly Entry[]): string | null {
  const first = entries.find((entry) => entry.role === 'user' && !entry.injected);
  return first === undefined ? null : titleOf(textOf(first.parts));
}

/** A process that went on with a session counts as its requests those since it began. */
function wasAskedBy({ processSince }: Manifest, { fields }: Message): boolean {
  return processSince !== null && (asCount(fields.ts) ?? 0) >= processSince;
}

/** A subagent's file stands beside its parent's and names it. Which call started it stands nowhere. */
function parentIn(root: JsonRecord, file: string): Pick<ParsedSession, 'parent'> {
  const parent = asName(asRecord(root.origin)?.parentThreadId);
  if (parent === null || !isSubagentFile(file)) return {};
  return { parent: { file: join(dirname(file), `${basename(parent)}${messagesEnd}`), callId: null } };
}

function otherRecords(all: readonly Message[], sent: readonly Message[]): Record<string, number> {
  const tally = new Tally();
  for (let left = all.length - sent.length; left > 0; left -= 1) tally.add('message/display only');
  for (const { fields } of sent) {
    if (fields.role !== 'user' && fields.role !== 'assistant') tally.add(`message/${asName(fields.role) ?? 'no role'}`);
  }
  return tally.counts();
}
