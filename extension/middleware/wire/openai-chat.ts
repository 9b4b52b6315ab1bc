import type { LongWork } from '../../engine/conversation/long-work';
import * as s from '../../sessions/records/schemas';
import { openAiChatLike } from '../formats/openai-chat';
import { isUnchanged } from '../recognition/outgoing';
import { openAiChatAnswer } from './answers/openai-chat';
import { openAiError } from './openai-error';
import type { WireProtocol, WireReading } from './protocol';
import { BodyText, grouping, messagesOf, piecesOf, toolsOf } from './request-body';

/** OpenAI's Chat Completions API, which many other servers support. */
export const openAiChatProtocol: WireProtocol = {
  name: 'openai-chat',
  matches: (path) => path.endsWith('/chat/completions'),
  read,
  answerReader: openAiChatAnswer,
  error: openAiError,
};

const requestBody = s.record({
  model: s.text,
  transforms: s.list,
  plugins: s.records({ id: s.name, enabled: s.anything }),
});

function* read(text: string): LongWork<WireReading> {
  const reading = yield* messagesOf(text);
  if (reading.kind === 'unread') return reading;
  const { body, messages } = reading;
  const format = openAiChatLike(messages);
  const groups = yield* grouping(format, messages);
  const fields = s.read(requestBody, body);
  return {
    kind: 'request',
    request: {
      model: fields.model,
      system: [],
      tools: toolsOf(body.tools) ?? toolsOf(body.functions),
      said: groups.map(({ said }) => said),
      providerSide: providerSide(fields),
      rewritten: (outgoing) =>
        isUnchanged(outgoing, groups)
          ? text
          : new BodyText(reading).replaceList('messages', piecesOf(format, groups, outgoing)).toString(),
    },
  };
}

/** OpenRouter can drop messages from the middle: https://openrouter.ai/docs/transforms. OpenAI’s API does nothing like it. */
function providerSide({ transforms, plugins }: s.Read<typeof requestBody>): string[] {
  const compresses = plugins.some(({ id, enabled }) => id === 'context-compression' && enabled !== false);
  return [...(transforms.includes('middle-out') ? ['transforms'] : []), ...(compresses ? ['plugins'] : [])];
}
