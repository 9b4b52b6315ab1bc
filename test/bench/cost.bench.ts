import { describe, it, vi } from 'vitest';
import { contenders, played } from './cost/contenders';
import { startCostServer, turns } from './cost/server';

/** What one long run costs with each way to keep it in its window, with a provider that caches prompts by their prefix. */

/** In tokens. */
const window = 64_000;

/** What a token read from the cache costs, beside one that is not. */
const cacheRead = 0.1;

vi.stubEnv('LANGSMITH_TRACING', 'false');
vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');

describe('one run of 300 requests', () => {
  console.log('| | requests | mean prompt | stable prefix | cost in millions | without prompt or rule | refused |');
  it.each(contenders)('$name', async ({ name, edit, start }) => {
    const server = await startCostServer(window, edit?.(window));
    const { agent, stop } = await start({ address: server.address, window });
    let failure = '';
    try {
      await played(agent, server, turns);
    } catch (error) {
      failure = String(error).slice(0, 200);
    } finally {
      await stop?.();
      server.close();
    }
    const { uses, refused, lacking } = server;
    const prompt = uses.reduce((total, use) => total + use.prompt, 0);
    const cached = uses.reduce((total, use) => total + use.cached, 0);
    const cost = (prompt - cached + cached * cacheRead) / 1_000_000;
    const figures = [
      uses.length,
      Math.round(prompt / uses.length),
      `${((100 * cached) / prompt).toFixed(1)} %`,
      cost.toFixed(2),
    ];
    console.log(`| ${[name, ...figures, lacking, refused].join(' | ')} | ${failure}`);
  });
});
