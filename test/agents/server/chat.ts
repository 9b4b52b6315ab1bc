import { replies, repliesAtOnce } from '../../builders/scripted-chat';
import { geminiSignature } from './gemini';
import type { Answer } from './server';

/** OpenAI Chat Completions. Cached tokens are part of the prompt's. */
export const answerChat: Answer = (response, asked, { text, reasoning, calls, usage }, number) => {
  const reply = {
    text,
    reasoning,
    calls: calls.map(({ name, input }, index) => ({
      id: `call_${number}_${index}`,
      name,
      arguments: JSON.stringify(input),
      ...(index === 0 && String(asked.body.model).startsWith('gemini') ? signed(reasoning) : {}),
    })),
    usage: {
      prompt_tokens: usage.input + usage.cacheRead,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.cacheRead + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
    },
  };
  const behaviour = asked.body.stream === true ? replies(reply) : repliesAtOnce(reply);
  behaviour(response, asked);
};

function signed(reasoning: string) {
  return { extra_content: { google: { thought_signature: geminiSignature(reasoning) } } };
}
