import { contextTokensOf, type Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { reportedUsage } from '../../../sessions/records/usage';

const usageFields = s.optionalRecord({
  input_tokens: s.countOrZero,
  output_tokens: s.countOrZero,
  cached_input_tokens: s.countOrZero,
  cache_write_input_tokens: s.countOrZero,
  total_tokens: s.count,
});

/** Codex's input tokens include the cached ones, as its provider counts. Null if nothing was used. */
function usageOf(fields: s.Read<typeof usageFields>): Usage | null {
  if (fields === null) return null;
  const { cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = fields;
  const input = Math.max(0, fields.input_tokens - cacheRead - cacheWrite);
  return reportedUsage({ input, output: fields.output_tokens, cacheRead, cacheWrite });
}

const usageRecord = s.record({ usage: usageFields, response_id: s.name });
const compaction = s.record({ compaction_response_id: s.name });
const tokenCount = s.record({ total_token_usage: s.record({ total_tokens: s.count }), last_token_usage: usageFields });

/** Selects new reports of usage: the same numbers are reported repeatedly. */
export class UsageLog {
  #hasRecords = false;
  #countedTotal: number | null = null;
  readonly #newest: { readonly response: string | null; readonly tokens: number }[] = [];

  /** One per request, since 0.16x. */
  ofRecord(payload: s.JsonRecord): Usage | null {
    const { usage, response_id: response } = s.read(usageRecord, payload);
    this.#hasRecords = true;
    return this.#noted(usageOf(usage), response);
  }

  /** Repeated whenever rate limits change; the total shows whether a request was made in between. */
  ofTokenCount(info: unknown): Usage | null {
    const { total_token_usage: sum, last_token_usage: last } = s.read(tokenCount, info);
    const total = sum.total_tokens;
    const isNews = total === null || total !== this.#countedTotal;
    this.#countedTotal = total;
    return this.#hasRecords || !isNews ? null : this.#noted(usageOf(last), null);
  }

  /** Tokens in the window as of the newest request, not counting the request for the summary. */
  tokensBefore(payload: s.JsonRecord): number | null {
    const { compaction_response_id: response } = s.read(compaction, payload);
    const requests = this.#newest.filter((request) => response === null || request.response !== response);
    return requests.at(-1)?.tokens ?? null;
  }

  #noted(usage: Usage | null, response: string | null): Usage | null {
    if (usage === null) return null;
    this.#newest.push({ response, tokens: contextTokensOf(usage) });
    if (this.#newest.length > 2) this.#newest.shift();
    return usage;
  }
}

/**
 * After a compaction, Codex reports its own estimate of the remaining context as the total of a request it never made.
 */
export function tokensLeft(info: unknown): number | null {
  const { last_token_usage: last } = s.read(tokenCount, info);
  return last === null || usageOf(last) !== null ? null : last.total_tokens;
}
