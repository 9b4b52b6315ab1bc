import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { aiSdkFormat } from '../../../extension/middleware/formats/ai-sdk';
import type { AiSdkMessage } from '../../../extension/middleware/formats/ai-sdk-message';
import { rewritten } from '../../../extension/middleware/formats/format';
import { langchainFormat } from '../../../extension/middleware/formats/langchain';
import type { Outgoing } from '../../../extension/middleware/recognition/outgoing';
import { made } from './altered';

/** The second message is replaced by a block. */
const outgoing: readonly Outgoing[] = [
  { kind: 'original', index: 0 },
  { kind: 'made', message: made('assistant', 'So far.') },
  { kind: 'original', index: 2 },
];

const ephemeral = { type: 'ephemeral' };

it.each(['message', 'part'])('a cache mark of a %s of the AI SDK moves to the block that replaces it', (place) => {
  const providerOptions = { anthropic: { cacheControl: ephemeral, other: 1 } };
  const text = { type: 'text', text: 'b' } as const;
  const marked: AiSdkMessage =
    place === 'message'
      ? { role: 'assistant', content: [text], providerOptions }
      : { role: 'assistant', content: [{ ...text, providerOptions }] };
  const said = (content: string): AiSdkMessage => ({ role: 'user', content: [{ type: 'text', text: content }] });
  const sent = rewritten(aiSdkFormat, aiSdkFormat.groupsOf([said('a'), marked, said('c')]), outgoing);
  expect(sent.map((message) => message.providerOptions)).toEqual([
    undefined,
    { anthropic: { cacheControl: ephemeral } },
    undefined,
  ]);
});

it('a cache mark of a message of LangChain moves to the block that replaces it', () => {
  const marked = new AIMessage({ content: [{ type: 'text', text: 'b', cache_control: ephemeral }] });
  const messages = [new HumanMessage('a'), marked, new HumanMessage('c')];
  const sent = rewritten(langchainFormat, langchainFormat.groupsOf(messages), outgoing);
  expect(sent.map(({ content }) => content)).toEqual([
    'a',
    [{ type: 'text', text: 'So far.', cache_control: ephemeral }],
    'c',
  ]);
});
