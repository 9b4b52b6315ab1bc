import * as s from '../../../extension/platform/json/schemas';
import { answerChat } from '../../agents/server/chat';
import { json, startModelServer } from '../../builders/scripted-model-server';
import { type CacheUse, PromptCache, tokensOf } from './cache';

/** A rule in the system prompt that each request must contain. */
export const rule = 'Never rename a public function.';

export const steps = 24;
export const turns = 12;

export interface CostServer {
  /** Without a path. */
  readonly address: string;
  /** One for each accepted request. */
  readonly uses: readonly CacheUse[];
  /** Number of requests that the model refused as too long. */
  readonly refused: number;
  /** Number of the agent's requests without the rule, or without the newest prompt. */
  readonly lacking: number;
  /** Called before the agent says this prompt. */
  prompted(prompt: string): void;
  close(): void;
}

type Edit = (body: s.JsonRecord) => s.JsonRecord;

/**
 * A model that calls a tool in each of a number of replies, and then answers. `edit`: how the provider changes a
 * request.
 */
export async function startCostServer(window: number, edit: Edit = (body) => body): Promise<CostServer> {
  const uses: CacheUse[] = [];
  const cache = new PromptCache();
  let [refused, lacking, replies, prompt] = [0, 0, 0, ''];
  const server = await startModelServer((response, asked) => {
    const body = edit(asked.body);
    const isSummary = s.jsonRecords(body.tools).length === 0;
    // A model with a larger window writes the summaries.
    if (tokensOf(body) > window && !isSummary) {
      refused += 1;
      const error = {
        message: `This model's maximum context length is ${window} tokens.`,
        code: 'context_length_exceeded',
      };
      return json(response, 400, { error: { ...error, type: 'invalid_request_error' } });
    }
    const use = cache.take(body);
    uses.push(use);
    const said = {
      reasoning: '',
      usage: { input: use.prompt - use.cached, output: 60, cacheRead: use.cached, cacheWrite: 0 },
    };
    if (isSummary)
      return answerChat(response, asked, { ...said, purpose: 'summary', text: summary, calls: [] }, uses.length);
    const text = JSON.stringify(body.messages);
    if (!text.includes(rule) || !text.includes(prompt)) lacking += 1;
    replies += 1;
    const isAnswer = replies % (steps + 1) === 0;
    const calls = isAnswer ? [] : [{ name: 'look_up', input: { path: `src/part-${replies}.ts` } }];
    answerChat(response, asked, { ...said, purpose: 'turn', text: `Step ${replies}.`, calls }, replies);
  });
  return {
    address: server.baseUrl.replace(/\/v1$/, ''),
    uses,
    get refused() {
      return refused;
    },
    get lacking() {
      return lacking;
    },
    prompted: (next) => {
      prompt = next;
    },
    close: () => server.close(),
  };
}

const summary = Array.from({ length: 40 }, (_, line) => `- Point ${line} of the work that was done so far.`).join('\n');

/** The content of a file: 1,000 to 11,000 characters, which depend only on its number. */
export function fileOf(path: string): string {
  const number = Number(/\d+/.exec(path)?.[0] ?? 0);
  const lines = 16 + ((number * 7919) % 160);
  return Array.from({ length: lines }, (_, line) =>
    `export const value${number}_${line} = compute(${line * 7});`.padEnd(64),
  ).join('\n');
}

const cleared = '[cleared]';

/** Anthropic’s `clear_tool_uses_20250919` with its defaults for this window: https://docs.claude.com/en/docs/build-with-claude/context-editing */
export function clearsToolUses(trigger: number, keep = 3): Edit {
  return (body) => {
    if (tokensOf(body) <= trigger) return body;
    const messages = s.jsonRecords(body.messages);
    const results = messages.filter(({ role }) => role === 'tool');
    const old = new Set(results.slice(0, Math.max(0, results.length - keep)));
    return {
      ...body,
      messages: messages.map((message) => (old.has(message) ? { ...message, content: cleared } : message)),
    };
  };
}
