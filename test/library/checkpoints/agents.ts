import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, tool } from 'langchain';
import { z } from 'zod';
import type { SavedJournal } from '../../../extension/conversations/checkpoints/saved-journals';
import type { ConversationsOptions } from '../../../extension/library';
import {
  type StrataMiddlewareOptions,
  strataMiddleware,
  type ThreadConfig,
  threadContext,
} from '../../../extension/library/langchain';

/** The rest of a prompt or an answer, too long to be in a block completely. */
export const long = 'It goes on. '.repeat(250);

/** `tools`: the names of the tools that the model may call. */
export type Reply = (said: readonly BaseMessage[], tools: readonly string[]) => AIMessage;

/**
 * Answers by the number of prompts, so that the same history has the same answer in every process. The answer repeats
 * what the model received.
 */
export const answers: Reply = (said) => {
  const prompts = said.filter(({ type }) => type === 'human').length;
  const sent = Math.ceil(said.reduce((total, { text }) => total + text.length, 0) / 4);
  const input_tokens = Math.ceil(sent * 1.2);
  const fields = {
    content: `Answer ${prompts}, module parser.ts. ${said.at(-1)?.text.slice(0, 40)}`,
    // Slightly more than is counted here, as with real providers.
    usage_metadata: { input_tokens, output_tokens: 20, total_tokens: input_tokens + 20 },
  };
  return new AIMessage(fields as AIMessageFields);
};

/** The place of a pin is derived from times in milliseconds, so tests wait until the next one. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A model in this process. `asked`: the prompts that it received, as text. */
export class ScriptedModel extends BaseChatModel<BaseChatModelCallOptions> {
  /** A model whose prices are known. */
  readonly model = 'gpt-5.5';
  readonly asked: string[] = [];
  #tools: readonly string[] = [];
  /** Called before each answer. If it throws, the call fails. */
  before: () => void = () => undefined;

  constructor(private readonly reply: Reply = answers) {
    super({ maxRetries: 0 });
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(tools: readonly unknown[]) {
    this.#tools = tools.map((one) =>
      String((one as { name?: string; function?: { name: string } }).function?.name ?? (one as { name?: string }).name),
    );
    return this;
  }

  async _generate(
    said: BaseMessage[],
    _options: this['ParsedCallOptions'],
    _run?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    await nextMillisecond();
    this.asked.push(JSON.stringify(said.map(({ type, content }) => [type, content])));
    this.before();
    const message = this.reply(said, this.#tools);
    return { generations: [{ text: message.text, message }] };
  }
}

export const riskyTool = tool(async ({ part }) => `Part ${part} is removed. ${long}`, {
  name: 'remove_part',
  description: 'Removes a part.',
  schema: z.object({ part: z.string() }),
});

/** Calls the tool once for each prompt that asks for it. */
export const callsTool: Reply = (said) => {
  const last = said.at(-1);
  if (last?.type !== 'human' || !last.text.startsWith('Remove')) return answers(said, []);
  return new AIMessage({
    content: '',
    tool_calls: [{ id: `call-${said.length}`, name: 'remove_part', args: { part: 'a' } }],
  });
};

const usualWindow = 16_000;
const countTokens = (text: string) => Math.ceil(text.length / 4);

/** Nothing is compacted automatically, so the test decides when a compaction runs. */
export const byHand: ConversationsOptions = { window: usualWindow, countTokens, automation: { enabled: false } };

export interface ThreadState {
  readonly config: ThreadConfig;
  readonly values: { readonly _StrataMiddleware?: readonly SavedJournal[] };
}

export interface ProgramOptions {
  readonly checkpointer: BaseCheckpointSaver;
  readonly conversations?: ConversationsOptions;
  readonly middleware?: StrataMiddlewareOptions;
  /** Middlewares before and after Strata in the list. */
  readonly around?: readonly AgentMiddleware[];
  readonly others?: readonly AgentMiddleware[];
  readonly reply?: Reply;
  /** Window of the contexts. Default: 16,000 tokens. */
  readonly window?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One process: an agent with its middleware, and an empty memory. */
export function program({
  checkpointer,
  conversations = byHand,
  middleware = {},
  around = [],
  window = usualWindow,
  others = [],
  reply,
  more,
}: ProgramOptions) {
  const model = new ScriptedModel(reply);
  const strata = strataMiddleware(conversations, middleware);
  const tools = reply === callsTool ? [riskyTool] : [];
  const list = [...around, strata, ...others] as unknown as AgentMiddleware[];
  const agent = createAgent({ model, tools, middleware: list, checkpointer, ...more });
  const { scope } = middleware;
  const own = { window, countTokens, ...(typeof scope === 'string' ? { scope } : {}) };
  return {
    agent,
    model,
    /** The newest checkpoint of a thread, or the named one. */
    state: async (config: ThreadConfig) => (await agent.graph.getState(config)) as unknown as ThreadState,
    /** Sends a prompt in a thread. Resolves to the last request that the model received. */
    async ask(text: string, config: ThreadConfig): Promise<string> {
      await agent.invoke({ messages: [new HumanMessage(text)] }, config);
      return model.asked.at(-1) ?? '';
    },
    context: (config: ThreadConfig) => threadContext(agent, config, own),
  };
}

export type Program = ReturnType<typeof program>;

export function threadOf(id: string): ThreadConfig {
  return { configurable: { thread_id: id } };
}
