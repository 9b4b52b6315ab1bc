import type { ContextMessage } from '../../engine/conversation/context';
import { type TextPart, type ToolCallPart, textOf } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../../sessions/records/json';
import { shownInput } from '../../sessions/records/tool-input';
import type { ReceivedMessage, ReceivedPart } from '../recognition/received';
import { callInput } from '../wire/call-input';
import { jsonOf, markOf, pictureAt, prunedContent, type Said, said } from './content';
import type { Alteration, MessageFormat, MessageGroup } from './format';
import { alteredSingle, resultOf, withToolNames } from './results';

/** Messages of OpenAI's Chat Completions API, which many servers support. Each is a group. */
export const openAiChat: MessageFormat<JsonRecord> = { groupsOf, altered, made };

const openAiChatOfDevelopers: MessageFormat<JsonRecord> = { groupsOf, altered, made: madeByDeveloper };

/** The format that uses the role of the first message for prompts: newer models use `developer` instead of `system`. */
export function openAiChatLike([leading]: readonly JsonRecord[]): MessageFormat<JsonRecord> {
  return leading?.role === 'developer' ? openAiChatOfDevelopers : openAiChat;
}

function groupsOf(messages: readonly JsonRecord[]): readonly MessageGroup<JsonRecord>[] {
  // Legacy function calls have no ids; a result belongs to the newest call.
  let functionCalls = 0;
  return withToolNames(
    messages.map((message) => {
      if (asRecord(message.function_call) !== null) functionCalls += 1;
      return { messages: [message], said: receivedMessage(message, `function_call_${functionCalls}`) };
    }),
  );
}

function receivedMessage(message: JsonRecord, functionCallId: string): ReceivedMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: contentOf(message.content) };
    case 'assistant':
      return { role: 'assistant', parts: replyParts(message, functionCallId) };
    case 'tool':
      return { role: 'user', parts: [resultOf(asText(message.tool_call_id) ?? '', contentOf(message.content))] };
    case 'function':
      return { role: 'user', parts: [resultOf(functionCallId, contentOf(message.content))] };
    default:
      return { role: 'user', parts: contentOf(message.content) };
  }
}

function replyParts(message: JsonRecord, functionCallId: string): ReceivedPart[] {
  const called = asRecord(message.function_call);
  return [
    ...thoughts(message),
    ...contentOf(message.content),
    ...said(asText(message.refusal)),
    ...(called === null ? [] : [functionCall(functionCallId, called)]),
    ...asRecords(message.tool_calls).map(toolCall),
  ];
}

/** Reasoning is not part of OpenAI's API; other servers use one of these names. */
function thoughts({ reasoning_content, reasoning }: JsonRecord): ReceivedPart[] {
  const text = asName(reasoning_content) ?? asName(reasoning);
  return text === null ? [] : [{ type: 'reasoning', text }];
}

function toolCall(call: JsonRecord): ToolCallPart {
  const callId = asText(call.id) ?? '';
  const custom = asRecord(call.custom);
  if (custom === null) return functionCall(callId, asRecord(call.function) ?? {});
  return { type: 'tool_call', callId, name: asText(custom.name) ?? '', input: asText(custom.input) ?? '' };
}

function functionCall(callId: string, called: JsonRecord): ToolCallPart {
  const input = shownInput(callInput(asText(called.arguments) ?? ''));
  return { type: 'tool_call', callId, name: asText(called.name) ?? '', input };
}

function contentOf(content: unknown): Said[] {
  if (typeof content === 'string') return said(content);
  return asList(content).flatMap((block) => blockOf(asRecord(block) ?? {}));
}

function blockOf(block: JsonRecord): Said[] {
  switch (block.type) {
    case 'text':
      return said(asText(block.text));
    case 'refusal':
      return said(asText(block.refusal));
    case 'image_url':
      return pictureAt(asText(asRecord(block.image_url)?.url) ?? asText(block.image_url) ?? '');
    case 'input_audio':
      return [soundMark(asRecord(block.input_audio) ?? {})];
    case 'file':
      return [fileMark(asRecord(block.file) ?? {})];
    default:
      return said(jsonOf(block));
  }
}

function soundMark({ format, data }: JsonRecord): TextPart {
  return markOf(`input_audio ${asText(format) ?? ''}`.trim(), asText(data) ?? '');
}

function fileMark({ filename, file_id, file_data }: JsonRecord): TextPart {
  const name = ['file', asName(filename), asName(file_id)].filter((each) => each !== null).join(' ');
  const data = asName(file_data);
  return data === null ? { type: 'text', text: `[${name}]` } : markOf(name, data);
}

function altered(group: MessageGroup<JsonRecord>, alteration: Alteration): readonly JsonRecord[] {
  return alteredSingle(group, alteration, (message, text) => ({
    ...message,
    content: prunedContent(message.content, text, 'text'),
  }));
}

function made({ role, parts }: ContextMessage): readonly JsonRecord[] {
  return [{ role, content: textOf(parts) }];
}

function madeByDeveloper(message: ContextMessage): readonly JsonRecord[] {
  return made(message).map((one) => (one.role === 'system' ? { ...one, role: 'developer' } : one));
}
