import * as s from '../../../extension/platform/json/schemas';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** Anthropic Messages. */
export function readMessages(body: s.JsonRecord): WireRequest {
  return {
    system: textIn(body.system),
    said: s.jsonRecords(body.messages).flatMap(utterances),
    tools: s.jsonRecords(body.tools).map(({ name }) => s.text(name)),
  };
}

function utterances({ role, content }: s.JsonRecord): Utterance[] {
  const speaker = role === 'assistant' || role === 'system' ? role : 'user';
  if (typeof content === 'string') return spoken(speaker, content);
  return s.jsonRecords(content).flatMap((block) => utterance(speaker, block));
}

function utterance(role: 'user' | 'assistant' | 'system', block: s.JsonRecord): Utterance[] {
  switch (block.type) {
    case 'text':
      return spoken(role, s.text(block.text));
    case 'tool_use':
      return [{ kind: 'call', callId: s.text(block.id), name: s.text(block.name), input: block.input }];
    case 'tool_result':
      return [{ kind: 'result', callId: s.text(block.tool_use_id), text: textIn(block.content) }];
    default:
      return [];
  }
}
