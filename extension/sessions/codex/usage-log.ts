import { contextTokensOf, type Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { usageOf } from './usage';

/** Which of the many reports of usage is news: the same numbers come again and again. */
export class UsageLog {
  #hasRecords = false;
  #countedTotal: number | null = null;
  readonly #newest: { readonly response: string | null; readonly tokens: number }[] = [];

  /** Written once for each request, since 0.16x. */
  ofRecord(payload: JsonRecord): Usage | null {
    this.#hasRecords = true;
    return this.#noted(usageOf(payload.usage), asName(payload.response_id));
  }

  /** Repeated whenever anything about limits changes; the sum tells whether a request was made in between. */
  ofTokenCount(info: JsonRecord): Usage | null {
    const total = asCount(asRecord(info.total_token_usage)?.total_tokens);
    const isNews = total === null || total !== this.#countedTotal;
    this.#countedTotal = total;
    return this.#hasRecords || !isNews ? null : this.#noted(usageOf(info.last_token_usage), null);
  }

  /** Tokens in the window as of the newest request, but for the one that asked for the summary. */
  tokensBefore(compaction: JsonRecord): number | null {
    const response = asName(compaction.compaction_response_id);
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

/** After a compaction Codex tells its own estimate of what is left: as the total of a request that it never made. */
export function tokensLeft(info: JsonRecord): number | null {
  const last = asRecord(info.last_token_usage);
  return last === null || usageOf(last) !== null ? null : asCount(last.total_tokens);
}
