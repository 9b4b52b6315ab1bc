import type { ChatPiece } from '../../models/chat-model';
import { type AnswerEvent, eventsOfChunk, eventsOfCompletion } from '../../models/openai/chat-events';
import { GatheredAnswer } from '../../models/openai/gathered-answer';
import type { AssembledCall } from '../../models/openai/tool-call-assembly';
import * as s from '../../platform/json/schemas';
import { callInput } from '../formats/call-input';
import { openAiChatLike } from '../formats/openai-chat';
import { type AnswerEnd, type AnswerGatherer, answerReader } from './answer-reader';
import { BodyText, piecesOf } from './body-edit';
import type { BodyFields, BodyShape, RefusalReason, WireProtocol } from './protocol';
import { messagesIn, noMessages, toolsOf } from './request-reader';

const requestBody = s.record({
  model: s.text,
  transforms: s.list,
  plugins: s.records({ id: s.name, enabled: s.anything }),
});

const shape: BodyShape = {
  list: 'messages',
  messagesIn,
  withoutMessages: noMessages,
  formatOf: openAiChatLike,
  fieldsOf,
  changed: (body, outgoing) => new BodyText(body).with(piecesOf(body.messages, outgoing)),
};

function fieldsOf(body: s.JsonRecord): BodyFields {
  const fields = s.read(requestBody, body);
  const tools = toolsOf(body.tools) ?? toolsOf(body.functions);
  const lacksUsage = body.stream === true && !('stream_options' in body);
  return { model: fields.model, system: [], tools, providerSide: providerSide(fields), lacksUsage };
}

/** OpenRouter can drop messages from the middle: https://openrouter.ai/docs/transforms. OpenAI’s API does nothing like it. */
function providerSide({ transforms, plugins }: s.Read<typeof requestBody>): string[] {
  const compresses = plugins.some(({ id, enabled }) => id === 'context-compression' && enabled !== false);
  return [...(transforms.includes('middle-out') ? ['transforms'] : []), ...(compresses ? ['plugins'] : [])];
}

/** OpenAI's Chat Completions API, which many other servers support. */
export const openAiChatProtocol: WireProtocol = {
  name: 'openai-chat',
  matches: (path) => path.endsWith('/chat/completions'),
  shape,
  answerReader: (contentType) => answerReader(contentType, new ChatGatherer()),
  error: openAiError,
};

const codes: Readonly<Record<RefusalReason, { readonly type: string; readonly code: string }>> = {
  'not-allowed': { type: 'invalid_request_error', code: 'not_allowed' },
  'too-large': { type: 'invalid_request_error', code: 'request_too_large' },
  unreachable: { type: 'server_error', code: 'upstream_unreachable' },
  failed: { type: 'server_error', code: 'gateway_failed' },
};

/** An error body in OpenAI's format. */
export function openAiError(reason: RefusalReason, message: string): object {
  const { type, code } = codes[reason];
  return { error: { message, type, param: null, code } };
}

const chatChunk = s.record({ error: s.jsonRecord, choices: s.list });
const chatChoice = s.record({ index: s.countOrZero });

class ChatGatherer implements AnswerGatherer {
  readonly #gathered = new GatheredAnswer();
  /** Some servers report usage so far with every chunk; it is the total only at the end. */
  #isTotal = false;
  #isOver = false;
  #hasFailed = false;

  event(chunk: s.JsonRecord): readonly ChatPiece[] {
    const { error, choices } = s.read(chatChunk, chunk);
    this.#hasFailed ||= error !== null;
    this.#isTotal ||= choices.length === 0;
    // If a client asks for several answers at once, only the first is stored.
    return s.read(chatChoice, choices[0]).index > 0 ? [] : this.#taken([...eventsOfChunk(chunk)]);
  }

  last(): void {
    this.#isOver = true;
  }

  whole(answer: s.JsonRecord): readonly ChatPiece[] {
    return this.#taken(eventsOfCompletion(answer) ?? []);
  }

  /** Calls are known to be complete only at the end. */
  end(): AnswerEnd {
    const { finish, usage: reported, calls: assembled } = this.#gathered;
    const hasFinished = this.#isOver || finish !== null;
    const isWhole = hasFinished && !this.#hasFailed;
    const calls = isWhole ? assembled.map(callPiece) : [];
    const usage = this.#isTotal || hasFinished ? reported : null;
    return { pieces: usage ? [...calls, { type: 'usage', usage }] : calls, isWhole };
  }

  #taken(events: readonly AnswerEvent[]): ChatPiece[] {
    return events.flatMap((event) => this.#gathered.accept(event) ?? []);
  }
}

function callPiece({ id, name, arguments: text, isCustom }: AssembledCall): ChatPiece {
  return { type: 'tool_call', callId: id, name, input: isCustom ? text : callInput(text) };
}
