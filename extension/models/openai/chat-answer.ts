import type { ModelFailed } from '../../engine/block/language-model';
import type { ToolCallPart } from '../../engine/conversation/entry';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { AnswerSize, tooLong } from '../answer-size';
import type { CallIds } from '../call-ids';
import type { ChatPiece } from '../chat-model';
import type { AnswerEvent } from './chat-events';
import { type Call, declined, failed, incomplete, named, onlyReasoned } from './failures';
import { GatheredAnswer } from './gathered-answer';
import type { AssembledCall } from './tool-call-assembly';
import { toolInput } from './tool-input';

/** A streaming chat answer. Text is passed on at once; everything else at the end. */
export class ChatAnswer {
  readonly #gathered = new GatheredAnswer();
  readonly #size = new AnswerSize();
  #hasText = false;
  #hasReasoned = false;

  constructor(
    private readonly call: Call,
    private readonly ids: CallIds,
  ) {}

  /** The model reached its limit before it was done. */
  get isCut(): boolean {
    return this.#gathered.finish === 'length';
  }

  /** Throws `ModelFailed` if the answer gets too long. */
  *accept(event: AnswerEvent): Generator<ChatPiece> {
    const piece = this.#gathered.accept(event);
    if (event.kind === 'tool-call') this.#measure(event.delta.arguments);
    if (piece === null) return;
    this.#hasText ||= piece.type === 'text';
    this.#hasReasoned ||= piece.type === 'reasoning';
    this.#measure(piece.text);
    yield piece;
  }

  /** The remaining pieces at the end of the stream. Throws `ModelFailed` if the answer is incomplete. */
  *end(): Generator<ChatPiece> {
    const failure = this.#failure();
    const { calls, usage } = this.#gathered;
    if (failure === null) yield* calls.map((call) => this.#part(call));
    if (usage) yield { type: 'usage', usage };
    if (failure) throw failure;
  }

  #measure(piece: string): void {
    if (this.#size.add(piece)) throw failed('broken-answer', this.call, tooLong(named(this.call)));
  }

  #failure(): ModelFailed | null {
    const { call } = this;
    const { calls, finish, usage } = this.#gathered;
    if (finish === 'content_filter') return declined(call);
    if (finish === null && usage === null) return incomplete(call);
    if (calls.some(({ name }) => name === '')) {
      return failed('broken-answer', call, localizable('{0} called a tool without naming it.', named(call)));
    }
    return this.isCut ? this.#cutFailure() : null;
  }

  /** Text that is cut off is still an answer; a tool must not run with incomplete input. */
  #cutFailure(): ModelFailed | null {
    const { call } = this;
    const last = this.#gathered.calls.at(-1);
    if (last) {
      const isWhole = toolInput(last.arguments).kind === 'json';
      return isWhole ? null : failed('broken-answer', call, cutInCall(call, last));
    }
    if (this.#hasText) return null;
    if (this.#hasReasoned) return onlyReasoned(call);
    return failed(
      'broken-answer',
      call,
      localizable('{0} was cut off at its output limit before it said anything.', named(call)),
    );
  }

  #part({ id, name, arguments: text }: AssembledCall): ToolCallPart {
    return { type: 'tool_call', callId: this.ids.claim(id), name, input: toolInput(text).input };
  }
}

function cutInCall(call: Call, { name }: AssembledCall): LocalizableText {
  return localizable(
    '{0} was cut off at its output limit, in the middle of a call of the tool {1}.',
    named(call),
    name,
  );
}
