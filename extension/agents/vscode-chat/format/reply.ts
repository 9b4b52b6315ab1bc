import type { Entry, Part, Usage } from '../../../engine/conversation/entry';
import type { ClaimedId } from '../../../platform/json/unique-ids';
import type { ToolCall } from './tool-call';

/** A tool call of a reply, with its position. */
export interface PlacedCall {
  readonly call: ToolCall;
  readonly claimed: ClaimedId;
  /** The index of its part in the response. */
  readonly part: number;
  readonly line: number;
  readonly result: Entry;
}

/** Facts that are known at the start of a reply. */
interface ReplyBeginning extends Pick<Entry, 'id' | 'timestamp' | 'model'> {
  readonly file: string;
  /** The index of its first part in the response. */
  readonly part: number;
}

/**
 * A reply while its response grows: texts followed by tool calls. Text after a call starts the next reply. The entry stays
 * the same object until something is added or removed.
 */
export class Reply {
  readonly #texts: Part[] = [];
  readonly #calls: PlacedCall[] = [];
  #lastText = -1;
  #textLine = 0;
  /** The text so far ends with a separate paragraph. */
  #afterBlock = false;
  #entry: Entry | null = null;

  constructor(readonly beginning: ReplyBeginning) {}

  get calls(): readonly PlacedCall[] {
    return this.#calls;
  }

  /** VS Code splits a text wherever it refers to a file or a symbol. */
  addText(piece: Piece, part: number, line: number): void {
    const { type, text, isBlock } = piece;
    const last = this.#texts.at(-1);
    if (last?.type !== type) this.#texts.push({ type, text });
    else {
      const gap = isBlock || this.#afterBlock ? '\n\n' : '';
      this.#texts[this.#texts.length - 1] = { type, text: `${last.text}${gap}${text}` };
    }
    this.#afterBlock = isBlock;
    this.#lastText = part;
    this.#textLine = Math.max(this.#textLine, line);
    this.#entry = null;
  }

  addCall(call: PlacedCall): void {
    this.#calls.push(call);
    this.#entry = null;
  }

  /** Whether all texts precede this part. Texts are merged, so they cannot be removed individually. */
  keepsTexts(part: number): boolean {
    return this.#lastText < part;
  }

  /** Removes and returns the newest call if it is at this part or later. */
  removeCallFrom(part: number): PlacedCall | null {
    const call = this.#calls.at(-1);
    if (call === undefined || call.part < part) return null;
    this.#calls.pop();
    this.#entry = null;
    return call;
  }

  entry(usage: Usage | null): Entry {
    if (this.#entry === null || !sameUsage(this.#entry.usage, usage)) this.#entry = this.#build(usage);
    return this.#entry;
  }

  #build(usage: Usage | null): Entry {
    const { id, timestamp, model, file } = this.beginning;
    const line = this.#calls.reduce((newest, call) => Math.max(newest, call.line), this.#textLine);
    return {
      id,
      role: 'assistant',
      parts: [...this.#texts, ...this.#calls.map(({ call }) => call.call)],
      timestamp,
      origin: { file, line },
      ...(model === undefined ? {} : { model }),
      ...(usage === null ? {} : { usage }),
    };
  }
}

interface Piece {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
  readonly isBlock: boolean;
}

function sameUsage(one: Usage | undefined, other: Usage | null): boolean {
  if (one === undefined || other === null) return one === undefined && other === null;
  return one.input === other.input && one.output === other.output;
}
