import * as s from '../../sessions/records/schemas';
import { openAiChatLike } from '../formats/openai-chat';
import { openAiChatAnswer } from './answers/openai-chat';
import { piecesOf } from './body-messages';
import { openAiError } from './openai-error';
import type { BodyFields, BodyShape, WireProtocol } from './protocol';
import { BodyText, messagesIn, noMessages, toolsOf } from './request-body';

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
  elsewhere: () => null,
  refersElsewhere: () => null,
  providerSideOf: () => null,
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
  answerReader: openAiChatAnswer,
  error: openAiError,
};
