import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import fc from 'fast-check';
import { createAgent } from 'langchain';
import { beforeAll, expect, it, vi } from 'vitest';
import { type AgentContext, type ConversationsOptions, createConversations } from '../../../extension/library';
import { strataMiddleware, type ThreadConfig } from '../../../extension/library/langchain';
import { byHand, long, nextMillisecond, program, ScriptedModel, threadOf } from './agents';

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

type Step =
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'pin'; readonly text: string }
  | { readonly kind: 'compact' | 'undo' | 'redo' | 'exclude' };

/** An event in a thread. `fork`: it continues from an earlier moment, which is given as a share of the thread. */
type Act = Step | { readonly kind: 'restart' } | { readonly kind: 'fork'; readonly at: number };

const asks = fc.record({
  kind: fc.constant('ask' as const),
  text: fc.constantFrom(`Write it. ${long}`, `Test it. ${long}`, 'Go on.'),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: asks },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pin' as const), text: fc.constantFrom('Never push.', 'Keep it small.') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('compact' as const, 'undo' as const, 'redo' as const, 'exclude' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('fork' as const), at: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  },
);

/** Carries out a step. A step that is refused changes nothing, and is refused in every process. */
async function done(context: AgentContext, step: Exclude<Step, { kind: 'ask' }>): Promise<string> {
  await nextMillisecond();
  try {
    if (step.kind === 'pin') await context.pin('constraint', step.text);
    else if (step.kind === 'exclude') await context.exclude(context.entries[0]?.id ?? '');
    else await context[step.kind]();
    return 'done';
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`;
  } finally {
    await nextMillisecond();
  }
}

/** One process that never ends, with an agent without a checkpointer. */
async function inOneProcess(conversations: ConversationsOptions, steps: readonly Step[]): Promise<string[]> {
  const kept = await createConversations(conversations);
  const model = new ScriptedModel();
  const agent = createAgent({
    model,
    tools: [],
    middleware: [strataMiddleware(kept, { conversation: () => 'one' })] as never[],
  });
  const results: string[] = [];
  let messages: unknown[] = [];
  for (const step of steps) {
    if (step.kind === 'ask') {
      ({ messages } = await agent.invoke({ messages: [...messages, new HumanMessage(step.text)] as never }));
      results.push(model.asked.at(-1) ?? '');
    } else results.push(await done(await kept.conversation({ conversation: 'one' }), step));
  }
  return results;
}

/** Long enough that there is something to compact. */
const begins: Act[] = ['a', 'b', 'c'].map((part) => ({ kind: 'ask', text: `Write part ${part}. ${long}` }));

/** A moment of a thread, with all steps that led to it. */
interface Moment {
  readonly config: ThreadConfig;
  readonly steps: readonly Step[];
  readonly results: readonly string[];
}

it('a thread in a checkpointer is sent what one process would have sent that went the same way', async () => {
  const automatic = fc.boolean();
  await fc.assert(
    fc.asyncProperty(automatic, fc.array(act, { maxLength: 12 }), async (isAutomatic, more) => {
      const acts: Act[] = [...begins, ...more];
      const conversations = isAutomatic
        ? { ...byHand, window: 3_000, automation: { schedule: 'size' as const } }
        : byHand;
      const checkpointer = new MemorySaver();
      const begin = () => program({ checkpointer, conversations, window: conversations.window as number });
      let running = begin();
      const newest = async () => (await running.state(threadOf('thread'))).config;
      let now: Moment = { config: threadOf('thread'), steps: [], results: [] };
      /** The moments from which a thread can continue. */
      const moments: Moment[] = [];
      const ends = new Set<Moment>();
      for (const one of acts) {
        if (one.kind === 'restart') running = begin();
        else if (one.kind === 'fork') now = moments[Math.floor(one.at * moments.length)] ?? now;
        else {
          const before = await newest();
          const result =
            one.kind === 'ask'
              ? await running.ask(one.text, now.config)
              : await done(await running.context(now.config), one);
          const after = await newest();
          ends.delete(now);
          now = {
            // A step without an effect has no checkpoint of its own.
            config: after.configurable.checkpoint_id === before.configurable.checkpoint_id ? now.config : after,
            steps: [...now.steps, one],
            results: [...now.results, result],
          };
          ends.add(now);
          if (now.config.configurable.checkpoint_id !== undefined) moments.push(now);
        }
      }
      for (const { steps, results } of ends) expect(results).toEqual(await inOneProcess(conversations, steps));
    }),
    { numRuns: 25 },
  );
}, 120_000);
