import type { ContextMessage } from '../../engine/conversation/context';
import { type TextPart, type ToolCallPart, textOf } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../../sessions/records/tool-input';
import type { ReceivedMessage, ReceivedPart } from '../recognition/received';
import { contentMarks } from './cache-marks';
import { callInput } from './call-input';
import { blocksIn, jsonOf, markOf, pictureAddress, pictureAt, prunedContent, type Said, said } from './content';
import type { Alteration, LazyMessageFormat, MessageGroup } from './format';
import { alteredSingle, lazyFormat, resultOf } from './results';
import type { SeenCalls } from './seen-calls';

const functionCalled = s.optionalRecord({ name: s.text, arguments: s.text });

const toolCallFields = {
  id: s.text,
  function: functionCalled,
  custom: s.optionalRecord({ name: s.text, input: s.text }),
};

const chatMessage = s.record({
  role: s.name,
  content: s.anything,
  tool_call_id: s.text,
  refusal: s.text,
  /** Reasoning is not part of OpenAI's API; other servers use one of these names. */
  reasoning_content: s.name,
  reasoning: s.name,
  function_call: functionCalled,
  tool_calls: s.records(toolCallFields),
});

type ChatMessage = s.Read<typeof chatMessage>;

type ToolCall = ChatMessage['tool_calls'][number];

/** Messages of OpenAI's Chat Completions API, which many servers support. Each is a group. */
export const openAiChat = lazyFormat(eachGroup, {
  ...{ altered, made },
  // Servers that forward requests to Anthropic accept these marks.
  marks: contentMarks,
});

const openAiChatOfDevelopers: LazyMessageFormat<s.JsonRecord> = { ...openAiChat, made: madeByDeveloper };

/** The format that uses the role of the first message for prompts: newer models use `developer` instead of `system`. */
export function openAiChatLike([leading]: readonly s.JsonRecord[]): LazyMessageFormat<s.JsonRecord> {
  return leading?.role === 'developer' ? openAiChatOfDevelopers : openAiChat;
}

function* eachGroup(messages: readonly s.JsonRecord[], calls: SeenCalls): Generator<MessageGroup<s.JsonRecord>> {
  for (const message of messages) {
    const read = s.read(chatMessage, message);
    if (read.function_call !== null) calls.functionCalls += 1;
    yield { messages: [message], said: receivedMessage(read, `function_call_${calls.functionCalls}`) };
  }
}

function receivedMessage(message: ChatMessage, functionCallId: string): ReceivedMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: contentOf(message.content) };
    case 'assistant':
      return { role: 'assistant', parts: replyParts(message, functionCallId) };
    case 'tool':
      return { role: 'user', parts: [resultOf(message.tool_call_id, contentOf(message.content))] };
    case 'function':
      return { role: 'user', parts: [resultOf(functionCallId, contentOf(message.content))] };
    default:
      return { role: 'user', parts: contentOf(message.content) };
  }
}

function replyParts(message: ChatMessage, functionCallId: string): ReceivedPart[] {
  const { reasoning_content, reasoning, content, refusal, function_call: called, tool_calls: calls } = message;
  const thought = reasoning_content ?? reasoning;
  return [
    ...(thought === null ? [] : [{ type: 'reasoning' as const, text: thought }]),
    ...contentOf(content),
    ...said(refusal),
    ...(called === null ? [] : [functionCall(functionCallId, called)]),
    ...calls.map(toolCall),
  ];
}

function toolCall({ id, function: called, custom }: ToolCall): ToolCallPart {
  return custom === null ? functionCall(id, called) : { type: 'tool_call', callId: id, ...custom };
}

function functionCall(callId: string, called: ToolCall['function']): ToolCallPart {
  const input = shownInput(callInput(called?.arguments ?? ''));
  return { type: 'tool_call', callId, name: called?.name ?? '', input };
}

function contentOf(content: unknown): Said[] {
  if (typeof content === 'string') return said(content);
  return blocksIn(content).flatMap(blockOf);
}

const soundBlock = s.record({ input_audio: s.record({ format: s.text, data: s.text }) });
const fileBlock = s.record({ file: s.record({ filename: s.name, file_id: s.name, file_data: s.name }) });

function blockOf(block: s.JsonRecord): Said[] {
  switch (block.type) {
    case 'text':
      return said(s.read(s.text, block.text));
    case 'refusal':
      return said(s.read(s.text, block.refusal));
    case 'image_url':
      return pictureAt(pictureAddress(block.image_url));
    case 'input_audio':
      return [soundMark(s.read(soundBlock, block))];
    case 'file':
      return [fileMark(s.read(fileBlock, block))];
    default:
      return said(jsonOf(block));
  }
}

function soundMark({ input_audio: { format, data } }: s.Read<typeof soundBlock>): TextPart {
  return markOf(`input_audio ${format}`.trim(), data);
}

function fileMark({ file: { filename, file_id: id, file_data: data } }: s.Read<typeof fileBlock>): TextPart {
  const name = ['file', filename, id].filter((each) => each !== null).join(' ');
  return data === null ? { type: 'text', text: `[${name}]` } : markOf(name, data);
}

function altered(group: MessageGroup<s.JsonRecord>, alteration: Alteration): readonly s.JsonRecord[] {
  return alteredSingle(group, alteration, (message, text) => ({
    ...message,
    content: prunedContent(message.content, text, 'text'),
  }));
}

function made({ role, parts }: ContextMessage): readonly s.JsonRecord[] {
  return [{ role, content: textOf(parts) }];
}

function madeByDeveloper(message: ContextMessage): readonly s.JsonRecord[] {
  return made(message).map((one) => (one.role === 'system' ? { ...one, role: 'developer' } : one));
}
