import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { ReplyWriter } from '../../conversations/requests/reply-writer';
import { type Part, type ToolCallPart, toolCalls, type Usage, withTextsMerged } from '../../engine/conversation/entry';
import type { ChatModel, ChatTool } from '../../models/chat-model';
import type { WrittenEntry } from '../../sessions/strata/records';
import type { EditorConversation } from '../conversations/editor-conversations';

/** A model that calls tools forever costs money forever. */
const mostRounds = 100;

export interface TurnWork {
  readonly conversation: EditorConversation;
  readonly model: ChatModel;
  readonly tools: readonly ChatTool[];
  readonly stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>;
  /** Makes the context fit the model's window, as far as possible. */
  readonly makeFit: () => Promise<void>;
  readonly runTool: (call: ToolCallPart) => Promise<Part[]>;
  readonly signal: AbortSignal;
  /** The model reached its output limit. */
  readonly onCut: () => unknown;
  /** Another window continued this conversation during the turn. */
  readonly onElsewhere: () => unknown;
  /** A piece of a reply could not be stored. */
  readonly onUnwritten: (error: unknown) => void;
}

type TurnOutcome = 'answered' | 'too-many-rounds';

/** Has the model answer the last message of the context, including tool calls. Each part of the reply is stored when it arrives. */
export class ChatTurn {
  readonly #writtenByOthers: number;

  constructor(
    private readonly work: TurnWork,
    /** The newest message of this chat. Another window may continue another branch of the conversation. */
    public leaf: string | null,
  ) {
    this.#writtenByOthers = work.conversation.writtenByOthers;
  }

  async take(): Promise<TurnOutcome> {
    for (let round = 0; round < mostRounds; round += 1) {
      const calls = toolCalls(await this.#takeReply());
      if (calls.length === 0) return 'answered';
      for (const call of calls) await this.#answer(call);
    }
    return 'too-many-rounds';
  }

  /** One request. The received part of a reply that broke off is stored and shown. */
  async #takeReply(): Promise<readonly Part[]> {
    const { conversation, model, tools, stream, signal, makeFit, onCut, onElsewhere, onUnwritten } = this.work;
    signal.throwIfAborted();
    await conversation.goTo(this.leaf);
    if (conversation.writtenByOthers > this.#writtenByOthers) onElsewhere();
    await makeFit();
    const { messages, tokens } = conversation.workbench.context;
    const reply = new Reply();
    const place = { conversation: async () => conversation, parent: this.leaf, sentTokens: tokens.counted };
    const writer = new ReplyWriter(place, `reply-${randomUUID()}`, onUnwritten);
    try {
      for await (const piece of model.converse({
        messages,
        tools,
        toolMode: 'auto',
        signal,
        onCut: () => void onCut(),
      })) {
        if (piece.type === 'usage') reply.usage = piece.usage;
        else reply.add(piece);
        if (piece.type === 'text') stream.markdown(piece.text);
        if (piece.type === 'text' || piece.type === 'reasoning') writer.add(piece);
      }
    } finally {
      if (!reply.isEmpty) await this.#store(writer, reply);
    }
    return reply.parts;
  }

  async #store(writer: ReplyWriter, reply: Reply): Promise<void> {
    await writer.finish(reply.entry(this.work.model.model));
    this.leaf = writer.id;
  }

  async #answer(call: ToolCallPart): Promise<void> {
    const { conversation, stream, runTool, signal } = this.work;
    signal.throwIfAborted();
    stream.progress(call.name);
    const parts = await runTool(call);
    const id = `result-${randomUUID()}`;
    const entry = { id, role: 'tool', parts, timestamp: new Date().toISOString() } as const;
    await conversation.append([{ type: 'entry', parent: this.leaf, entry }]);
    this.leaf = id;
  }
}

/** The part of a reply received so far. */
class Reply {
  readonly #pieces: Part[] = [];
  usage: Usage | null = null;

  get parts(): readonly Part[] {
    return withTextsMerged(this.#pieces);
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: Part): void {
    this.#pieces.push(piece);
  }

  entry(model: string): Omit<WrittenEntry, 'id'> {
    const usage = this.usage ? { usage: this.usage } : {};
    return { role: 'assistant', parts: this.parts, timestamp: new Date().toISOString(), model, ...usage };
  }
}
