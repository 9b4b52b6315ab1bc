import { afterEach, describe, expect, it } from 'vitest';
import {
  askBoth,
  costOfAsking,
  ownQuestions,
  sides,
  spentOnAnswers,
  standardQuestions,
} from '../../../extension/engine/asking/ask-both';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import { openAiDefaults } from '../../../extension/models/openai/client';
import { openAiModel } from '../../../extension/models/openai/openai-model';
import {
  type Asked,
  type Behaviour,
  fails,
  hangs,
  type ModelServer,
  neverStops,
  says,
  startModelServer,
} from '../../builders/scripted-model-server';

/** Tests with the same questions to a real HTTP server, once for each context. */

let server: ModelServer;
afterEach(() => server?.close());

function message(text: string, tokens = 100): ContextMessage {
  return {
    ...{ key: text, role: 'user', kind: 'user', entryIds: [text], timestamp: null, injected: false },
    parts: [{ type: 'text', text }],
    tokens,
  };
}

const contexts = { before: [message('Paint the fence.'), message('Never use red.')], after: [message('Paint.')] };

async function asked(
  behaviour: Behaviour,
  {
    questions = standardQuestions,
    maxPromptTokens = 10_000,
    timeoutMs = 5_000,
    signal = new AbortController().signal,
  } = {},
) {
  server = await startModelServer(behaviour);
  const options = {
    ...openAiDefaults,
    baseUrl: server.baseUrl,
    model: 'scripted',
    apiKey: null,
    retries: 0,
    timeoutMs,
  };
  const told: string[] = [];
  const answers = await askBoth({
    ...{ questions, contexts, model: openAiModel(options), maxPromptTokens, signal },
    onAnswer: (question, side) => told.push(`${question} ${side}`),
  });
  return { answers, told };
}

const promptOf = ({ body }: Asked) => JSON.stringify(body.messages);
const isBefore = (one: Asked) => promptOf(one).includes('Never use red.');

/** Answers in the form that the probes ask for. It knows the rule only with the whole context. */
const knowing: Behaviour = (response, one) => {
  const prompt = promptOf(one);
  if (prompt.includes('current goal')) return says('{"goal": "paint the fence"}')(response, one);
  if (prompt.includes('What constraints')) {
    return says(isBefore(one) ? '{"constraints": ["never use red"]}' : '{"constraints": []}')(response, one);
  }
  return says('<think>hm</think>I open the tin.')(response, one);
};

describe('asking both', () => {
  it('asks each question in a call of its own, with each context', async () => {
    const { answers, told } = await asked(knowing);
    expect(answers.map(({ before, after }) => [textIn(before), textIn(after)])).toEqual([
      ['paint the fence', 'paint the fence'],
      ['never use red', ''],
      ['I open the tin.', 'I open the tin.'],
    ]);
    expect(server.asked.filter(isBefore)).toHaveLength(3);
    expect(server.asked).toHaveLength(6);
    expect(told).toHaveLength(6);
    expect(spentOnAnswers(answers)).toEqual({ input: 6 * 1234, output: 6 * 56 });
  });

  it('marks answers that are declined, empty or in another form', async () => {
    const [goal, , next] = (await asked(says('I am sorry, I cannot help with that.'))).answers;
    expect([goal?.before.kind, next?.after.kind]).toEqual(['unusable', 'unusable']);
    expect(String(reasonIn(next?.after))).toBe('the model declined to answer');
    server.close();
    const [form, , given] = (await asked(says('Fine weather.'))).answers;
    expect(form?.before).toMatchObject({ kind: 'unusable', text: 'Fine weather.' });
    expect(given?.before).toMatchObject({ kind: 'given', text: 'Fine weather.' });
    server.close();
    const [, , empty] = (await asked(says('<think>I wonder'))).answers;
    expect(String(reasonIn(empty?.before))).toBe('the answer is empty');
  });

  it('cuts off a very long answer and marks it', async () => {
    const questions = ownQuestions(['Tell me all.'], []) ?? [];
    const { answers } = await asked(neverStops('And then, and then, and then it went on. '), { questions });
    const { before } = answers[0] ?? {};
    expect(before).toMatchObject({ kind: 'given', isCut: true });
    expect(textIn(before).length).toBeLessThan(21_000);
  });

  it('stops after a failed call, and keeps what was answered', async () => {
    let calls = 0;
    const { answers } = await asked((response, one) => {
      calls += 1;
      return calls === 1 ? says('{"goal": "paint"}')(response, one) : fails(500, 'out of paint')(response, one);
    });
    expect(answers[0]?.before.kind).toBe('given');
    expect(String(reasonIn(answers[0]?.after))).toContain('out of paint');
    expect(String(reasonIn(answers[2]?.after))).toBe('not asked, because another call failed');
    expect(server.asked).toHaveLength(2);
  });

  it('gives up on a model that does not answer in time', async () => {
    const { answers } = await asked(hangs, { timeoutMs: 300 });
    expect(answers.every((both) => sides.every((side) => both[side].kind === 'failed'))).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  it('asking both ends with the signal', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(asked(hangs, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('asks only about a context that fits the model, and reports the other', async () => {
    const { answers } = await asked(knowing, { maxPromptTokens: 350 });
    expect(answers.map(({ after }) => after.kind)).toEqual(['given', 'given', 'given']);
    expect(String(reasonIn(answers[0]?.before))).toMatch(
      /^this context has about 424 tokens, and the model takes prompts of 350/,
    );
    expect(server.asked).toHaveLength(3);
    expect(costOfAsking(contexts, 3, 350)).toEqual({ calls: 3, input: 936, mostOutput: 2_400 });
  });

  it('accepts at most five questions, each once', () => {
    expect(ownQuestions([' why? ', 'why?', ''], standardQuestions)).toHaveLength(4);
    expect(ownQuestions(['a', 'b', 'c'], standardQuestions)).toBeNull();
    expect(ownQuestions([], [])).toBeNull();
    expect(ownQuestions(['x'.repeat(2_001)], [])).toBeNull();
  });
});

function textIn(answer: object | undefined): string {
  return answer && 'text' in answer ? String(answer.text) : 'no text';
}

function reasonIn(answer: object | undefined): unknown {
  return answer && 'reason' in answer ? answer.reason : null;
}
