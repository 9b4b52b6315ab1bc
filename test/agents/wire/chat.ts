import * as s from '../../../extension/platform/json/schemas';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** OpenAI Chat Completions. */
export function readChat(body: s.JsonRecord): WireRequest {
  const messages = s.jsonRecords(body.messages);
  const start = messages.findIndex(({ role }) => !isInstruction(role));
  const head = start < 0 ? messages : messages.slice(0, start);
  return {
    system: head.map(({ content }) => textIn(content)).join('\n'),
    said: messages.slice(head.length).flatMap(utterances),
    tools: s.jsonRecords(body.tools).map((tool) => s.text(s.jsonRecord(tool.function)?.name)),
  };
}

function isInstruction(role: unknown): boolean {
  return role === 'system' || role === 'developer';
}

function utterances(message: s.JsonRecord): Utterance[] {
  const text = textIn(message.content);
  if (message.role === 'tool') return [{ kind: 'result', callId: s.text(message.tool_call_id), text }];
  if (message.role === 'assistant')
    return [...spoken('assistant', text), ...s.jsonRecords(message.tool_calls).map(call)];
  return spoken(isInstruction(message.role) ? 'system' : 'user', text);
}

function call(fields: s.JsonRecord): Utterance {
  const called = s.jsonRecord(fields.function);
  return { kind: 'call', callId: s.text(fields.id), name: s.text(called?.name), input: called?.arguments };
}
