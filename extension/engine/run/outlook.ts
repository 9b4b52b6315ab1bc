import type { Context } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import type { Usage } from '../conversation/entry';
import type { JournalState } from '../journal/journal-state';
import { cachePricesOf } from './cache-prices';
import type { Outlook } from './schedule';

export interface OutlookInput {
  readonly conversation: Pick<Conversation, 'entries'>;
  readonly state: Pick<JournalState, 'compactions'>;
  readonly context: Pick<Context, 'tokens'>;
  readonly contextWindow: number;
  /** ISO 8601. */
  readonly now: string;
  /** Whether a model writes the blocks. */
  readonly asksModel: boolean;
}

const minute = 60_000;

/** Null where the prices of the model that answered last are not known, or when it did. */
export function outlookOf(input: OutlookInput): Outlook | null {
  const { conversation, state, context, contextWindow, now, asksModel } = input;
  const replies = conversation.entries.flatMap(({ usage, model, timestamp }) =>
    usage ? [{ tokens: promptTokens(usage), model, timestamp }] : [],
  );
  const last = replies.at(-1);
  const terms = cachePricesOf(last?.model ?? null);
  const pause = Date.parse(now) - Date.parse(last?.timestamp ?? '');
  if (!terms || Number.isNaN(pause)) return null;
  const { lifetime, ...prices } = terms;
  const { total, byKind } = context.tokens;
  return {
    contextTokens: total,
    fixedTokens: byKind.system + byKind.core,
    growth: meanGrowth(replies.map(({ tokens }) => tokens)),
    contextWindow,
    requests: replies.length,
    isWarm: pause <= lifetime * minute,
    prices,
    writing: asksModel ? writingCost(state) : 0,
  };
}

function promptTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** A compaction makes a prompt smaller; that is no growth. */
function meanGrowth(sizes: readonly number[]): number {
  const grown = sizes.slice(1).map((size, at) => Math.max(0, size - (sizes[at] ?? size)));
  return sumOf(grown) / Math.max(1, grown.length);
}

/** Price of a token that a model writes against one that it reads, of the providers in the table of prices. */
const outputPrice = 5;

/** As the newest compaction cost. Before the first: a model reads all that is taken. */
function writingCost({ compactions }: OutlookInput['state']): number {
  const records = compactions.map(({ record }) => record);
  const newest = records.findLast(({ tokensSpent }) => tokensSpent.input > 0);
  if (!newest) return 1;
  const run = records.filter((record) => record.run === newest.run);
  const spent = run.map(({ tokensSpent: { input, output } }) => input + outputPrice * output);
  const taken = run.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter);
  return sumOf(spent) / Math.max(1, sumOf(taken));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
