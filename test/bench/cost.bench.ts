import { describe, it, vi } from 'vitest';
import type { CacheUse } from './cost/cache';
import { contenders, played } from './cost/contenders';
import { startCostServer, turns } from './cost/server';

/**
 * Measures the cost of one long run with each way to keep it within its window. The provider caches prompts by their
 * prefix.
 */

/** In tokens. */
const window = 64_000;

/** Price of a token from the cache, as a share of the full price. */
const cacheRead = 0.1;

vi.stubEnv('LANGSMITH_TRACING', 'false');
vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');

describe('one run of 300 requests', () => {
  console.log(
    '| | requests | mean prompt | stable prefix | from the cache | read once | read again (times) | cost | without prompt or rule | refused |',
  );
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
    const { prompt, cached, once, again, times } = costOf(uses);
    const figures = [
      uses.length,
      Math.round(prompt / uses.length),
      `${((100 * cached) / prompt).toFixed(1)} %`,
      millions(cached * cacheRead),
      millions(once),
      `${millions(again)} (${times})`,
      millions(cached * cacheRead + once + again),
    ];
    console.log(`| ${[name, ...figures, lacking, refused].join(' | ')} | ${failure}`);
  });
});

/** In tokens. */
interface RunCost {
  readonly prompt: number;
  readonly cached: number;
  /** Tokens that were added at the end of a prompt. */
  readonly once: number;
  /** The part of a prompt after its first change, mostly by a compaction. */
  readonly again: number;
  /** Number of changed prompts. */
  readonly times: number;
}

/** Maximum tokens at the end of a prompt that are not cached because a cached prefix grows in steps. */
const rounded = 300;

function costOf(uses: readonly CacheUse[]): RunCost {
  const isChanged = ({ cached }: CacheUse, at: number) => cached < (uses[at - 1]?.prompt ?? 0) - rounded;
  const unread = (some: readonly CacheUse[]) => some.reduce((total, { prompt, cached }) => total + prompt - cached, 0);
  const changed = uses.filter(isChanged);
  const prompt = uses.reduce((total, use) => total + use.prompt, 0);
  const [read, again] = [unread(uses), unread(changed)];
  return { prompt, cached: prompt - read, once: read - again, again, times: changed.length };
}

function millions(tokens: number): string {
  return (tokens / 1_000_000).toFixed(2);
}
