import { beforeAll, describe, expect, it, vi } from 'vitest';
import { longTurn } from './long-turn/report';
import { strataDoors } from './long-turn/strata-doors';

/**
 * Tests what docs/middleware.md promises for one prompt with many calls. `npm run bench -- long-turn` compares it with
 * other tools.
 */

vi.mock('vscode', async () => {
  const { chatApi } = await import('../host/chat/chat-api');
  const { editorApi } = await import('./long-turn/editor-api');
  return editorApi(chatApi());
});

const steps = 80;

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

describe(`one prompt and ${steps} calls in a window of 16,000 tokens`, () => {
  for (const door of strataDoors) {
    it(`never overflow through ${door.name}, the prompt and the pin in every request`, async () => {
      const turn = await longTurn(door, steps);
      expect(turn).toMatchObject({ failure: null, called: steps, hasAnswered: true, refused: 0, withoutPrompt: 0 });
      // A text that a person pins in the editor while an agent is working is in the next request.
      expect(turn.withoutPin).toBe(door.name === 'Strata model' ? 1 : 0);
    });
  }
});
