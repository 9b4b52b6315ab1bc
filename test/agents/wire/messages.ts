import { asRecords, asText, type JsonRecord } from '../../../extension/sessions/records/json';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** Anthropic Messages. */
export function readMessages(body: JsonRecord): WireRequest {
  return {
    system: textIn(body.system),
    said: asRecords(body.messages).flatMap(utterances),
    tools: asRecords(body.tools).map(({ name }) => asText(name) ?? ''),
  };
}

function utterances({ role, content }: JsonRecord): Utterance[] {
  const speaker = role === 'assistant' || role === 'system' ? role : 'user';
  if (typeof content === 'string') return spoken(speaker, content);
  return asRecords(content).flatMap((block) => utterance(speaker, block));
}

function utterance(role: 'user' | 'assistant' | 'system', block: JsonRecord): Utterance[] {
  switch (block.type) {
    case 'text':
      return spoken(role, asText(block.text) ?? '');
    case 'tool_use':
      return [{ kind: 'call', callId: asText(block.id) ?? '', name: asText(block.name) ?? '', input: block.input }];
    case 'tool_result':
      return [{ kind: 'result', callId: asText(block.tool_use_id) ?? '', text: textIn(block.content) }];
    default:
      return [];
  }
}
