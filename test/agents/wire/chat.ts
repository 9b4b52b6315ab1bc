import { asRecord, asRecords, asText, type JsonRecord } from '../../../extension/sessions/records/json';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** OpenAI Chat Completions. */
export function readChat(body: JsonRecord): WireRequest {
  const messages = asRecords(body.messages);
  const start = messages.findIndex(({ role }) => !isInstruction(role));
  const head = start < 0 ? messages : messages.slice(0, start);
  return {
    system: head.map(({ content }) => textIn(content)).join('\n'),
    said: messages.slice(head.length).flatMap(utterances),
    tools: asRecords(body.tools).map((tool) => asText(asRecord(tool.function)?.name) ?? ''),
  };
}

function isInstruction(role: unknown): boolean {
  return role === 'system' || role === 'developer';
}

function utterances(message: JsonRecord): Utterance[] {
  const text = textIn(message.content);
  if (message.role === 'tool') return [{ kind: 'result', callId: asText(message.tool_call_id) ?? '', text }];
  if (message.role === 'assistant') return [...spoken('assistant', text), ...asRecords(message.tool_calls).map(call)];
  return spoken(isInstruction(message.role) ? 'system' : 'user', text);
}

function call(fields: JsonRecord): Utterance {
  const called = asRecord(fields.function);
  return { kind: 'call', callId: asText(fields.id) ?? '', name: asText(called?.name) ?? '', input: called?.arguments };
}
