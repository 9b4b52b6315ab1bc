import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createConversations } from '../../extension/library/conversations';
import { strataMiddleware } from '../../extension/library/langchain';
import { deepSummaries, editing, summaries, withDeepAgent, withLangchain } from '../conversations/long-turn/doors';
import { type LongTurnServer, window } from '../conversations/long-turn/model';
import { longTurn } from '../conversations/long-turn/report';
import { constraint } from '../middleware/frameworks/window-model';

/**
 * Tests of Strata beside the context management of LangChain and deep agents: one prompt and 80 calls, as in
 * docs/middleware.md.
 */

const steps = 80;

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

async function strata(strataWindow = window) {
  const notices: string[] = [];
  const conversations = await createConversations({
    window: strataWindow,
    pins: [{ kind: 'constraint', text: constraint }],
    onNotice: (notice) => notices.push(notice),
  });
  return { middleware: strataMiddleware(conversations), conversations, notices };
}

const turnOf = (run: (server: LongTurnServer) => Promise<void>) => longTurn({ name: 'beside', run }, steps);

describe('Strata beside deep agents’ own summarization', () => {
  it('leaves it in the list of middlewares', () => {
    expect(strataMiddleware({ window }).name).toBe('StrataMiddleware');
    expect(deepSummaries([]).name).toBe('SummarizationMiddleware');
  });

  it('Strata beside deep agents’ own summarization has the prompt and the pin in every request, though the history was summarised first', async () => {
    const { middleware } = await strata();
    const turn = await turnOf((server) => withDeepAgent(server, [deepSummaries([4000]), middleware]));
    expect(turn).toMatchObject({ called: steps, hasAnswered: true, refused: 0, withoutPrompt: 0, withoutPin: 0 });
    expect(turn.summaries).toBeGreaterThan(1);
  });

  it('leaves a request to it that the provider refuses', async () => {
    // Strata is configured with a larger window than the model has.
    const { middleware } = await strata(2 * window);
    const turn = await turnOf((server) => withDeepAgent(server, [deepSummaries([]), middleware]));
    expect(turn.refused).toBeGreaterThan(0);
    expect(turn).toMatchObject({ called: steps, hasAnswered: true, withoutPrompt: 0, withoutPin: 0 });
  });
});

describe('Strata beside LangChain’s summarization', () => {
  it('continues with what the summary left, with the pin in every request', async () => {
    const { middleware } = await strata();
    const turn = await turnOf((server) => withLangchain(server, [summaries(server), middleware]));
    expect(turn).toMatchObject({ called: steps, hasAnswered: true, refused: 0, withoutPin: 0 });
    expect(turn.summaries).toBeGreaterThan(0);
  });
});

describe('Strata beside LangChain’s context editing', () => {
  it('placed before context editing, records one conversation, and editing clears what Strata sends', async () => {
    const { middleware, conversations, notices } = await strata();
    const turn = await turnOf((server) => withLangchain(server, [middleware, editing()]));
    expect(turn).toMatchObject({ called: steps, hasAnswered: true, refused: 0, withoutPrompt: 0, withoutPin: 0 });
    expect(conversations.contexts).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  it('says so once if it comes second, and the turn fits anyway', async () => {
    const { middleware, notices } = await strata();
    const turn = await turnOf((server) => withLangchain(server, [editing(), middleware]));
    expect(turn).toMatchObject({ called: steps, hasAnswered: true, refused: 0, withoutPrompt: 0, withoutPin: 0 });
    expect(notices.filter((notice) => notice.includes('Put strataMiddleware before it'))).toHaveLength(1);
  });
});
