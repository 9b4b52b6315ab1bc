import { beginning, longer } from '../../engine/conversation/common-prefix';
import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import * as s from '../../platform/json/schemas';
import { workingFolderIn } from '../injected/working-folder';
import { LineSession, type SessionContent } from '../records/line-session';
import { PairedContext } from '../records/paired-context';
import { conversationVersion, type EntryRecord } from './records';
import { partOf, readWrittenEntry } from './written-entry';

/** A message in the tree. Its entry is only replaced while the reply is being written. */
interface Node {
  readonly parent: Node | null;
  readonly index: number;
  entry: Entry;
  isWhole: boolean;
}

const header = s.record({ id: s.name, cwd: s.name, version: s.countOrZero, madeBy: s.name });
const modelRecord = s.record({ model: s.name, contextWindow: s.count });
const entryRecord = s.record({
  entry: s.record({ parts: s.list }),
  pieces: s.text,
  parent: s.anything,
});
const pieceRecord = s.record({ id: s.name, part: s.jsonRecord, parent: s.anything, time: s.name });

/** Builds a conversation that Strata stores itself: those of its chat participant and of its models. */
export class StrataBuilder extends LineSession {
  readonly #nodes = new Map<string, Node>();
  /** In file order, system prompts included. */
  readonly #entries: Entry[] = [];
  /** The same entries as last returned, which never change. */
  #listed: readonly Entry[] = [];
  #leaf: Node | null = null;
  /** The context up to a prompt on the present path, which no later message changes. */
  #known: { readonly node: Node; readonly system: Entry | null; readonly context: readonly Entry[] } | null = null;
  #system: Entry | null = null;
  #hasEnded = false;
  /** New after each change. */
  #limits: ReadonlyMap<string, number> = new Map();
  /** The agent is another program, whose working folder may differ from the gateway's. */
  #isOfGateway = false;
  #statedFolder: string | null = null;

  constructor(file: string) {
    // Messages are split by author before they are written.
    super('strata', file, { authors: 'apart', beginsWithId: true });
  }

  protected content(): SessionContent {
    const agentContext = this.#context();
    this.#listed = longer(this.#listed, this.#entries.slice(this.#listed.length));
    return {
      conversation: { entries: this.#listed, agentContext, agentCompactions: [] },
      ...(this.#limits.size === 0 ? {} : { limits: this.#limits }),
      awaitsReply: !this.#hasEnded && awaitsReply(agentContext.at(-1)),
      cwd: this.#isOfGateway ? (this.#statedFolder ?? this.cwd) : (this.cwd ?? this.#statedFolder),
    };
  }

  /** Shares the texts of the record with its writer, but not the inputs of calls, which programs may change. */
  acceptWritten(record: object, line: number): void {
    const { entry } = record as Partial<EntryRecord>;
    const hasCalls = entry?.parts.some(({ type }) => type === 'tool_call') ?? false;
    this.acceptRecord(hasCalls ? JSON.parse(JSON.stringify(record)) : { ...record }, line);
  }

  /** A record that its store lost. */
  acceptLoss(reason: LocalizableText, line: number): void {
    this.issues.add(line, localizable('A record is damaged and was left out: {0}', reason));
  }

  /** @param line the line of the record. */
  acceptRecord(record: s.JsonRecord, line: number): void {
    switch (record.type) {
      case 'strata-conversation':
        this.#acceptHeader(record, line);
        break;
      case 'entry':
        this.#acceptEntry(record, line);
        break;
      case 'piece':
        this.#acceptPiece(record, line);
        break;
      case 'system':
        this.#acceptSystem(record, line);
        break;
      case 'leaf':
        this.#acceptLeaf(record, line);
        break;
      case 'turn-ended':
        this.#hasEnded = true;
        break;
      case 'model':
        this.#acceptModel(record);
        break;
      case 'limit':
        this.#acceptLimit(record);
        break;
      default:
        this.otherRecords.add(s.read(s.name, record.type) ?? 'no type');
    }
  }

  #acceptHeader(record: s.JsonRecord, line: number): void {
    if (this.sessionId !== null) return;
    const { id, cwd, version, madeBy } = s.read(header, record);
    this.sessionId = id;
    this.cwd = cwd;
    this.#isOfGateway = madeBy === 'gateway';
    if (version <= conversationVersion) return;
    this.issues.add(
      line,
      localizable('This conversation was written by a newer Strata (format {0}); parts may be missing', version),
    );
  }

  #acceptModel(record: s.JsonRecord): void {
    const { model, contextWindow } = s.read(modelRecord, record);
    this.model = model ?? this.model;
    this.contextWindow = contextWindow;
  }

  #acceptLimit(record: s.JsonRecord): void {
    const { model, contextWindow } = s.read(modelRecord, record);
    if (model !== null && contextWindow !== null) this.#limits = new Map([...this.#limits, [model, contextWindow]]);
  }

  #acceptLeaf({ id }: s.JsonRecord, line: number): void {
    const node = id === null ? null : this.#nodes.get(s.read(s.text, id));
    if (node !== undefined) this.#leaf = node;
    else
      this.issues.add(
        line,
        localizable('The message to go back to is not in this file; the conversation continues from where it was'),
      );
  }

  #acceptEntry(record: s.JsonRecord, line: number): void {
    const entry = readWrittenEntry(record.entry, { file: this.file, line });
    if (entry === null) {
      this.issues.add(line, localizable('This record is not a message and was left out'));
      return;
    }
    const fields = s.read(entryRecord, record);
    if (entry.parts.length < fields.entry.parts.length) {
      this.issues.add(line, localizable('Parts of the message {0} could not be read and were left out', entry.id));
    }
    this.noteTooDeep(entry.parts, line);
    if (isPrompt(entry)) this.notePrompt(textOf(entry.parts));
    this.#noteFolder(entry);
    this.#hasEnded = false;
    const known = this.#nodes.get(entry.id);
    const pieces = this.#nodes.get(fields.pieces);
    if (known) this.#complete(known, entry, line);
    else if (pieces && !pieces.isWhole) this.#rename(pieces, entry);
    else this.#grow(entry, fields.parent, true, line);
  }

  /** Agents tell a model the folder in the system prompt or in texts of their own. */
  #noteFolder({ role, injected, parts }: Entry): void {
    if (role === 'system' || (role === 'user' && injected)) this.#statedFolder ??= workingFolderIn(textOf(parts));
  }

  /** The whole reply replaces its pieces. */
  #complete(node: Node, entry: Entry, line: number): void {
    // A second process may store an answer that the agent's next request has already brought to the first.
    if (!node.isWhole || !this.#isOnPath(node)) this.#leaf = node;
    if (!node.isWhole) this.#replace(node, entry, true);
    else if (JSON.stringify(node.entry.parts) !== JSON.stringify(entry.parts))
      this.issues.add(line, localizable('The message {0} occurs a second time; the first one counts', entry.id));
  }

  /** Whether the present path leads through this message. */
  #isOnPath(node: Node): boolean {
    let on = this.#leaf;
    while (on !== null && on !== node) on = on.parent;
    return on === node;
  }

  /** The id of a whole reply differs from that of its pieces if it depends on the reply. */
  #rename(node: Node, read: Entry): void {
    this.#known = null;
    node.entry = { ...node.entry, id: this.ids.claim(read.id) };
    this.#nodes.set(read.id, node);
    this.#leaf = node;
    this.#replace(node, read, true);
  }

  #acceptPiece(record: s.JsonRecord, line: number): void {
    const { id, time, parent, ...fields } = s.read(pieceRecord, record);
    const part = partOf(fields.part ?? {});
    if (id === null || (part?.type !== 'text' && part?.type !== 'reasoning')) {
      this.issues.add(line, localizable('This record is not a part of a reply and was left out'));
      return;
    }
    this.#hasEnded = false;
    const known = this.#nodes.get(id);
    if (known?.isWhole) return;
    if (known) {
      const last = known.entry.parts.at(-1);
      const parts =
        last?.type === part.type
          ? [...known.entry.parts.slice(0, -1), { ...last, text: last.text + part.text }]
          : [...known.entry.parts, part];
      this.#replace(known, { ...known.entry, parts }, false);
    } else {
      const origin = { file: this.file, line };
      const entry: Entry = { id, role: 'assistant', parts: [part], timestamp: time, origin };
      this.#grow(entry, parent, false, line);
    }
  }

  #acceptSystem(record: s.JsonRecord, line: number): void {
    const entry = readWrittenEntry(record.entry, { file: this.file, line });
    if (entry?.role !== 'system') {
      this.issues.add(line, localizable('This record is not a system prompt and was left out'));
      return;
    }
    this.#noteFolder(entry);
    this.#system = { ...entry, id: this.ids.claim(entry.id) };
    this.#entries.push(this.#system);
  }

  #grow(read: Entry, parent: unknown, isWhole: boolean, line: number): void {
    const entry = { ...read, id: this.ids.claim(read.id) };
    const node: Node = { parent: this.#parentOf(parent, line), index: this.#entries.length, entry, isWhole };
    this.#entries.push(entry);
    this.#nodes.set(read.id, node);
    this.#leaf = node;
  }

  #replace(node: Node, read: Entry, isWhole: boolean): void {
    this.#known = null;
    node.entry = { ...read, id: node.entry.id };
    node.isWhole = isWhole;
    this.#entries[node.index] = node.entry;
    this.#listed = beginning(this.#listed, Math.min(this.#listed.length, node.index));
  }

  /** If the previous message is missing, the messages before it must not be lost too. */
  #parentOf(id: unknown, line: number): Node | null {
    if (id === null) return null;
    const node = this.#nodes.get(s.read(s.text, id));
    if (node !== undefined) return node;
    this.issues.add(
      line,
      localizable('The message before this one is not in this file; this one is shown after the newest one that is'),
    );
    return this.#leaf;
  }

  /** The current system prompt, then the path from root to leaf. */
  #context(): readonly Entry[] {
    const known = this.#known?.system === this.#system ? this.#known : null;
    const path: Node[] = [];
    let node = this.#leaf;
    for (; node !== null && node !== known?.node; node = node.parent) path.push(node);
    const isKnown = known !== null && node === known.node;
    const before = isKnown ? known.context : this.#system === null ? [] : [this.#system];
    path.reverse();
    const cut = path.findLastIndex(({ entry }) => isText(entry));
    const context = longer(before, pairedContext(path.slice(0, cut + 1)));
    const last = path[cut];
    this.#known = last ? { node: last, system: this.#system, context } : isKnown ? known : null;
    return longer(context, pairedContext(path.slice(cut + 1)));
  }
}

/** A text ends every reply before it, so what comes before it and what comes after it are paired separately. */
function isText({ role }: Entry): boolean {
  return role !== 'assistant' && role !== 'tool';
}

function pairedContext(path: readonly Node[]): Entry[] {
  const context = new PairedContext();
  for (const { entry } of path) context.add(entry);
  return context.end();
}

function awaitsReply(last: Entry | undefined): boolean {
  if (last === undefined || last.role === 'system') return false;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0;
}
