import { describe, expect, it } from 'vitest';
import { strataMiddleware } from '../../extension/library/ai-sdk';
import { compactingFetch } from '../../extension/library/fetch';
import { createContext, createConversations, InvalidOption } from '../../extension/library/index';
import { strataMiddleware as langchainMiddleware } from '../../extension/library/langchain';

// The functions that take options, called as by a program without types.
const doors: readonly (readonly [name: string, open: (options: never) => unknown])[] = [
  ['strataMiddleware of the AI SDK', strataMiddleware],
  ['strataMiddleware of LangChain', langchainMiddleware],
  ['compactingFetch', compactingFetch],
];

const wrong: readonly (readonly [options: object, sentence: string])[] = [
  [{}, 'The option window is missing: give the number of tokens that the model takes.'],
  [{ window: 100_000, windw: 1 }, 'Unknown option windw. The options are: strategy, parameters,'],
  [{ window: '32k' }, 'The option window takes the number of tokens that the model takes, above 0, or a function that'],
  [{ window: '32k' }, 'it was "32k".'],
  [{ window: Number.NaN }, 'The option window takes'],
  [{ window: 9, pins: [{ type: 'constraint', text: 'No push.' }] }, 'option pins.0.'],
  [{ window: 9, pins: [{ kind: 'rule', text: 'No push.' }] }, 'The option pins.0.kind takes one of goal, constraint'],
  [{ window: 9, pins: { kind: 'goal', text: 'Ship.' } }, 'The option pins takes a list of pins'],
  [{ window: 9, automation: { enable: false } }, 'Unknown option automation.enable. The options are:'],
  [{ window: 9, automation: { schedule: 'never' } }, 'The option automation.schedule takes one of size, cost'],
  [{ window: 9, parameters: { cleared: 1 } }, 'The option parameters.cleared takes'],
  [{ window: 9, onNotice: 'console' }, 'The option onNotice takes a function; it was "console".'],
];

/** Strategies know their own parameters, and an adapter loads them with its first request. */
const wrongParameters: readonly (readonly [parameters: Record<string, object>, sentence: string])[] = [
  [{ clear: { keepTokens: 1 } }, 'The option parameters takes parameters of one of'],
  [{ cleared: { keepTokns: 1 } }, 'The option parameters takes for cleared one of keepTokens'],
];

describe('a wrong option', () => {
  for (const [door, open] of doors) {
    it.each(wrong)(`is named by ${door}: %j`, (options, sentence) => {
      expect(() => open(options as never)).toThrow(InvalidOption);
      expect(() => open(options as never)).toThrow(sentence);
    });
  }

  it.each(wrong)('is named by createConversations: %j', async (options, sentence) => {
    await expect(createConversations(options as never)).rejects.toThrow(sentence);
  });

  it.each(wrongParameters)('for a strategy is named: %j', async (parameters, sentence) => {
    const options = { window: 9, parameters } as never;
    await expect(createContext(options)).rejects.toThrow(sentence);
    await expect(createConversations(options)).rejects.toThrow(sentence);
    const send = compactingFetch(options);
    const request = { method: 'POST', body: '{"model":"any","messages":[]}' };
    const asked = () => send('http://localhost/v1/chat/completions', request);
    await expect(asked()).rejects.toThrow(InvalidOption);
    await expect(asked()).rejects.toThrow(sentence);
  });

  it('of an adapter is named too', () => {
    expect(() => compactingFetch({ window: 9 }, { scop: 'acme' } as never)).toThrow('Unknown option scop.');
    expect(() => strataMiddleware({ window: 9 }, { scope: 7 } as never)).toThrow('The option scope takes a text or');
    expect(() => langchainMiddleware({ window: 9 }, { named: 'x' } as never)).toThrow('Unknown option named.');
  });

  it('of a context is one that only conversations have', async () => {
    await expect(createContext({ window: 9, pins: [] } as never)).rejects.toThrow('Unknown option pins.');
    await expect(createContext({} as never)).rejects.toThrow('The option window is missing');
  });
});

it('takes options that say undefined for what is absent', async () => {
  await expect(createConversations({ window: 9, pins: undefined, shelf: undefined } as never)).resolves.toBeDefined();
});
