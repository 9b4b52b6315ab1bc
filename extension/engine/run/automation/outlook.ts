import { commonPrefixLength } from '../../conversation/common-prefix';
import { type Context, fixedTokens } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import { type Entry, isPossibleUsage } from '../../conversation/entry';
import { oncePer } from '../../conversation/once-per';
import { sum } from '../../conversation/whole-tokens';
import type { JournalState } from '../../journal/journal-state';
import { cachePricesOf } from './cache-prices';
import type { Outlook } from './schedule';

interface OutlookInput {
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

/** Null if the last answer's model has no known prices, or its time is unknown. */
export function outlookOf(input: OutlookInput): Outlook | null {
  const { conversation, state, context, contextWindow, now, asksModel } = input;
  const [first] = conversation.entries;
  if (!first) return null;
  const { last, requests, growth } = replyReader(first).read(conversation.entries);
  const terms = cachePricesOf(last?.model ?? null);
  const pause = Date.parse(now) - Date.parse(last?.timestamp ?? '');
  if (!terms || Number.isNaN(pause)) return null;
  const { lifetime, ...prices } = terms;
  const { total } = context.tokens;
  return {
    contextTokens: total,
    fixedTokens: fixedTokens(context.tokens),
    growth,
    contextWindow,
    requests,
    isWarm: pause <= lifetime * minute,
    prices,
    writing: asksModel ? writingCost(state) : 0,
  };
}

interface Reply {
  /** Index of its entry. */
  readonly at: number;
  readonly tokens: number;
  /** How much prompts have grown up to this one. A compaction makes a prompt smaller, which does not count as growth. */
  readonly grown: number;
  readonly model: string | undefined;
  readonly timestamp: string | null;
}

/** Reads the replies of a growing conversation. Entries that are the same as in the last call are not read again. */
class ReplyReader {
  #entries: readonly Entry[] = [];
  readonly #replies: Reply[] = [];

  read(entries: readonly Entry[]) {
    const same = commonPrefixLength(this.#entries, entries);
    while ((this.#replies.at(-1)?.at ?? -1) >= same) this.#replies.pop();
    for (let at = same; at < entries.length; at += 1) this.#add(entries[at], at);
    this.#entries = entries;
    const last = this.#replies.at(-1);
    const requests = this.#replies.length;
    return { last, requests, growth: (last?.grown ?? 0) / Math.max(1, requests - 1) };
  }

  #add(entry: Entry | undefined, at: number): void {
    if (!entry?.usage || !isPossibleUsage(entry.usage)) return;
    const { usage, model, timestamp } = entry;
    const before = this.#replies.at(-1);
    const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
    const grown = before ? before.grown + Math.max(0, tokens - before.tokens) : 0;
    this.#replies.push({ at, tokens, grown, model, timestamp });
  }
}

/** By the first entry of a conversation. */
const replyReader = oncePer((_first: Entry) => new ReplyReader());

/** Price of an output token relative to an input token, for the providers in the price table. */
const outputPrice = 5;

/** Taken from the newest compaction's cost. Before the first, assumes that a model reads all that is replaced. */
function writingCost({ compactions }: OutlookInput['state']): number {
  const records = compactions.map(({ record }) => record);
  const newest = records.findLast(({ tokensSpent }) => tokensSpent.input > 0);
  if (!newest) return 1;
  const run = records.filter((record) => record.run === newest.run);
  const spent = run.map(({ tokensSpent: { input, output } }) => input + outputPrice * output);
  const taken = run.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter);
  return sum(spent) / Math.max(1, sum(taken));
}
