import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { peers } from '../conversations/long-turn/doors';
import { type LongTurnReport, longTurn, tableOf } from '../conversations/long-turn/report';
import { strataDoors } from '../conversations/long-turn/strata-doors';

/**
 * Plays one prompt and many calls in a window of 16,000 tokens, through every entry point of Strata and through other
 * tools. It makes the table in docs/middleware.md.
 */

vi.mock('vscode', async () => {
  const { chatApi } = await import('../host/chat/chat-api');
  const { editorApi } = await import('../conversations/long-turn/editor-api');
  return editorApi(chatApi());
});

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

it.each([80, 300])('one prompt and %i calls', async (steps) => {
  const reports: LongTurnReport[] = [];
  onTestFinished(() => console.log(`${steps} calls\n\n${tableOf(reports)}`));
  for (const door of [...strataDoors, ...peers]) reports.push(await longTurn(door, steps));
  const ofStrata = reports.slice(0, strataDoors.length);
  expect(ofStrata.filter(({ refused, withoutPrompt }) => refused + withoutPrompt > 0)).toEqual([]);
});
