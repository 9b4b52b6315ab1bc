import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, it } from 'vitest';
import { aiSdkFormat } from '../../../extension/middleware/formats/ai-sdk';
import type { AiSdkMessage } from '../../../extension/middleware/formats/ai-sdk-message';
import { anthropic } from '../../../extension/middleware/formats/anthropic';
import type { MessageFormat } from '../../../extension/middleware/formats/format';
import { langchainFormat } from '../../../extension/middleware/formats/langchain';
import { openAiChat } from '../../../extension/middleware/formats/openai-chat';
import { openAiResponses } from '../../../extension/middleware/formats/openai-responses';
import { type PlainMessage, plainFormat } from '../../../extension/middleware/formats/plain';
import { authorshipOf, remainderOf } from '../../../extension/middleware/recognition/authorship';
import { rules } from '../recognition/received';

/** Tests that standing instructions stay when a block replaces the prompt in the same message. */

const prompt = 'Fix it.';

/** The rest of a message after everything but its standing instructions was removed. */
function standing<M>(format: MessageFormat<M>, message: M): readonly M[] {
  const [group] = format.groupsOf([message]);
  if (!group) throw new Error('There is no group');
  const remaining = remainderOf(new Set(['standing']), authorshipOf(group.said, true));
  return format.altered(group, { results: new Map(), keepsRest: false, remaining });
}

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const textOf = (text: string) => ({ type: 'text', text });

describe('what stays of a message with rules and a prompt', () => {
  it('what stays of a message with rules and a prompt are the blocks of the rules, as they came in', () => {
    const first = { ...textOf(rules), cache_control: { type: 'ephemeral' } };
    const message = { role: 'user', content: [first, textOf(prompt), image] };
    const [left, ...none] = standing(anthropic, message);
    expect(left).toEqual({ role: 'user', content: [first] });
    expect(none).toEqual([]);
  });

  it('what stays of a message with rules and a prompt are the rules of one text', () => {
    const content = `${rules}\n\n${prompt}`;
    const left = [{ role: 'user', content: rules }];
    expect(standing(anthropic, { role: 'user', content })).toEqual(left);
    expect(standing(openAiChat, { role: 'user', content })).toEqual(left);
    expect(standing<PlainMessage>(plainFormat, { role: 'user', content })).toEqual(left);
  });

  it('what stays of a message with rules and a prompt are the rules in the lists of all formats', () => {
    const content = [textOf(`${rules}\n${prompt}`), textOf(prompt)];
    const left = [{ role: 'user', content: [textOf(rules)] }];
    expect(standing(openAiChat, { role: 'user', content })).toEqual(left);
    expect(standing<PlainMessage>(plainFormat, { role: 'user', content } as PlainMessage)).toEqual(left);
    expect(standing<AiSdkMessage>(aiSdkFormat, { role: 'user', content } as AiSdkMessage)).toEqual(left);
    const items = content.map(({ text }) => ({ type: 'input_text', text }));
    expect(standing(openAiResponses, { type: 'message', role: 'user', content: items })).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: rules }] },
    ]);
    const [human] = standing<BaseMessage>(langchainFormat, new HumanMessage({ id: 'm', content: content as [] }));
    expect(human).toBeInstanceOf(HumanMessage);
    expect(human).toMatchObject({ id: 'm', content: [textOf(rules)] });
  });

  it('nothing stays of a message without rules', () => {
    const message = { role: 'user', content: [textOf(prompt), image] };
    expect(standing(anthropic, message)).toEqual([]);
    expect(standing(openAiChat, { role: 'user', content: prompt })).toEqual([]);
  });
});
