import { asList, asRecords, asText, type JsonRecord } from '../../sessions/records/json';
import { openAiChatLike } from '../formats/openai-chat';
import { isUnchanged } from '../recognition/outgoing';
import { openAiChatAnswer } from './answers/openai-chat';
import { openAiError } from './openai-error';
import type { WireProtocol, WireReading } from './protocol';
import { BodyText, messagesOf, piecesOf, toolsOf } from './request-body';

/** OpenAI's Chat Completions API, which many other servers support. */
export const openAiChatProtocol: WireProtocol = {
  name: 'openai-chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read,
  answerReader: openAiChatAnswer,
  error: openAiError,
};

function read(text: string): WireReading {
  const reading = messagesOf(text);
  if (reading.kind === 'unread') return reading;
  const { body, messages } = reading;
  const format = openAiChatLike(messages);
  const groups = format.groupsOf(messages);
  return {
    kind: 'request',
    request: {
      model: asText(body.model) ?? '',
      system: [],
      tools: toolsOf(body.tools) ?? toolsOf(body.functions),
      said: groups.map(({ said }) => said),
      providerSide: providerSide(body),
      rewritten: (outgoing) =>
        isUnchanged(outgoing, groups)
          ? text
          : new BodyText(text).replaceList('messages', piecesOf(format, groups, outgoing)).toString(),
    },
  };
}

/** OpenRouter can drop messages from the middle: https://openrouter.ai/docs/transforms. OpenAI’s API does nothing like it. */
function providerSide({ transforms, plugins }: JsonRecord): string[] {
  const compresses = asRecords(plugins).some(({ id, enabled }) => id === 'context-compression' && enabled !== false);
  return [...(asList(transforms).includes('middle-out') ? ['transforms'] : []), ...(compresses ? ['plugins'] : [])];
}
