import { type Entry, textOf, toolCalls } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { IssueList } from '../records/issues';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import { PairedContext } from '../records/paired-context';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import { UniqueIds } from '../records/unique-ids';
import type { ParsedSession } from '../session';
import { conversationVersion } from './records';
import { partOf, readWrittenEntry } from './written-entry';

/** A message in the tree. Its entry is replaced while the reply is still being written, and only then. */
interface Node {
  readonly parent: Node | null;
  readonly index: number;
  entry: Entry;
  isWhole: boolean;
}

/** Sent where work went on after a call that never got a result. */
const missingResult = 'No result: the tool was interrupted before it answered.';

/** Builds a conversation that Strata keeps itself: those of its chat participant and of its models. */
export class StrataBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #nodes = new Map<string, Node>();
  readonly #ids = new UniqueIds();
  /** In file order, system prompts included. */
  readonly #entries: Entry[] = [];
  #leaf: Node | null = null;
  #system: Entry | null = null;
  #id = '';
  #cwd: string | null = null;
  #model: string | null = null;
  #contextWindow: number | null = null;
  #title: string | null = null;
  #hasEnded = false;

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    if (reading.kind === 'record') this.acceptRecord(reading.record, line.number);
    else if (reading.kind !== 'blank') this.#issues.add(line.number, reading.message);
  }

  session(): ParsedSession {
    const agentContext = this.#context();
    return {
      agent: 'strata',
      id: this.#id,
      file: this.file,
      cwd: this.#cwd,
      title: this.#title,
      model: this.#model,
      ...(this.#contextWindow === null ? {} : { contextWindow: this.#contextWindow }),
      issues: this.#issues.list(),
      otherRecords: this.#otherRecords.counts(),
      conversation: { entries: this.#entries.slice(), agentContext, agentCompactions: [] },
      awaitsReply: !this.#hasEnded && awaitsReply(agentContext.at(-1)),
    };
  }

  /** One record of a conversation, which stands in this line. */
  acceptRecord(record: JsonRecord, line: number): void {
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
        this.#model = asName(record.model) ?? this.#model;
        this.#contextWindow = asCount(record.contextWindow);
        break;
      default:
        this.#otherRecords.add(asName(record.type) ?? 'no type');
    }
  }

  #acceptHeader(record: JsonRecord, line: number): void {
    if (this.#id !== '') return;
    this.#id = asName(record.id) ?? '';
    this.#cwd = asName(record.cwd);
    const version = asCount(record.version) ?? 0;
    if (version <= conversationVersion) return;
    this.#issues.add(line, `This conversation was written by a newer Strata (format ${version}); parts may be missing`);
  }

  #acceptLeaf({ id }: JsonRecord, line: number): void {
    const node = id === null ? null : this.#nodes.get(asName(id) ?? '');
    if (node !== undefined) this.#leaf = node;
    else this.#issues.add(line, 'The message to go back to is not in this file; the conversation goes on where it was');
  }

  #acceptEntry(record: JsonRecord, line: number): void {
    const entry = readWrittenEntry(record.entry, { file: this.file, line });
    if (entry === null) {
      this.#issues.add(line, 'This record is no message and was left out');
      return;
    }
    if (entry.parts.length < asList(asRecord(record.entry)?.parts).length) {
      this.#issues.add(line, `Parts of the message ${entry.id} could not be read and were left out`);
    }
    for (const { line: at, message } of tooDeepIssues(entry.parts, line)) this.#issues.add(at, message);
    if (entry.role === 'user' && !entry.injected) this.#title ??= titleOf(textOf(entry.parts));
    this.#hasEnded = false;
    const known = this.#nodes.get(entry.id);
    const pieces = this.#nodes.get(asName(record.pieces) ?? '');
    if (known) this.#complete(known, entry, line);
    else if (pieces && !pieces.isWhole) this.#rename(pieces, entry);
    else this.#grow(entry, record.parent, true, line);
  }

  /** The whole reply takes the place of its pieces. */
  #complete(node: Node, entry: Entry, line: number): void {
    this.#leaf = node;
    if (node.isWhole) this.#issues.add(line, `The message ${entry.id} occurs a second time; the first one counts`);
    else this.#replace(node, entry, true);
  }

  /** The id of a whole reply is another one than that of its pieces, where it depends on the reply. */
  #rename(node: Node, read: Entry): void {
    node.entry = { ...node.entry, id: this.#ids.claim(read.id) };
    this.#nodes.set(read.id, node);
    this.#leaf = node;
    this.#replace(node, read, true);
  }

  #acceptPiece(record: JsonRecord, line: number): void {
    const id = asName(record.id);
    const part = partOf(asRecord(record.part) ?? {});
    if (id === null || (part?.type !== 'text' && part?.type !== 'reasoning')) {
      this.#issues.add(line, 'This record is no piece of a reply and was left out');
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
      const entry: Entry = { id, role: 'assistant', parts: [part], timestamp: asName(record.time), origin };
      this.#grow(entry, record.parent, false, line);
    }
  }

  #acceptSystem(record: JsonRecord, line: number): void {
    const entry = readWrittenEntry(record.entry, { file: this.file, line });
    if (entry?.role !== 'system') {
      this.#issues.add(line, 'This record is no system prompt and was left out');
      return;
    }
    this.#system = { ...entry, id: this.#ids.claim(entry.id) };
    this.#entries.push(this.#system);
  }

  #grow(read: Entry, parent: unknown, isWhole: boolean, line: number): void {
    const entry = { ...read, id: this.#ids.claim(read.id) };
    const node: Node = { parent: this.#parentOf(parent, line), index: this.#entries.length, entry, isWhole };
    this.#entries.push(entry);
    this.#nodes.set(read.id, node);
    this.#leaf = node;
  }

  #replace(node: Node, read: Entry, isWhole: boolean): void {
    node.entry = { ...read, id: node.entry.id };
    node.isWhole = isWhole;
    this.#entries[node.index] = node.entry;
  }

  /** Where the message before is lost, what came before that must not be lost with it. */
  #parentOf(id: unknown, line: number): Node | null {
    if (id === null) return null;
    const node = this.#nodes.get(asName(id) ?? '');
    if (node !== undefined) return node;
    this.#issues.add(line, 'The message before this one is not in this file; it follows the newest one that is');
    return this.#leaf;
  }

  /** From the leaf back to the root, and the system prompt as it is now before all of it. */
  #context(): Entry[] {
    const path: Entry[] = [];
    for (let node = this.#leaf; node !== null; node = node.parent) path.push(node.entry);
    const context = new PairedContext(missingResult);
    if (this.#system !== null) context.prompt(this.#system);
    for (const entry of path.reverse()) {
      if (entry.role === 'assistant') context.reply(entry);
      else if (entry.role === 'tool') context.result(entry);
      else context.text(entry);
    }
    return context.end();
  }
}

function awaitsReply(last: Entry | undefined): boolean {
  if (last === undefined || last.role === 'system') return false;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0;
}
