import type { Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { leafText, parsedOrText } from './text';

export interface RoundCall {
  readonly name: string;
  readonly input: unknown;
  /** Calls of one round were made by one reply. */
  readonly round: number;
}

/**
 * What the agent itself left with the result of a request. GitHub Copilot Chat keeps there which tools the model called,
 * with which arguments, and what it was given back: the truth, where VS Code keeps only what it showed.
 */
export class RequestMetadata {
  readonly #calls = new Map<string, RoundCall>();
  readonly #results = new Map<string, string>();
  readonly #fields: JsonRecord;

  constructor(private readonly request: JsonRecord) {
    this.#fields = asRecord(asRecord(request.result)?.metadata) ?? {};
    for (const [round, fields] of asRecords(this.#fields.toolCallRounds).entries()) {
      for (const call of asRecords(fields.toolCalls)) this.#addCall(call, round);
    }
    for (const [id, result] of Object.entries(asRecord(this.#fields.toolCallResults) ?? {})) {
      this.#results.set(plainId(id), asRecords(asRecord(result)?.content).map(contentText).join('\n'));
    }
  }

  /** Agents other than GitHub Copilot Chat leave nothing of the kind. */
  get tellsOfCalls(): boolean {
    return this.#calls.size > 0 || this.#results.size > 0;
  }

  callOf(callId: string): RoundCall | null {
    return this.#calls.get(plainId(callId)) ?? null;
  }

  resultOf(callId: string): string | null {
    return this.#results.get(plainId(callId)) ?? null;
  }

  get model(): string | null {
    return asName(this.#fields.resolvedModel) ?? asName(this.request.modelId);
  }

  /**
   * Of the newest reply. VS Code adds up the output of all replies to a request, which a request with tools has several
   * of; the prompt of the newest one holds the earlier ones already, so counting them again would be wrong.
   */
  usage(replies: number): Usage | null {
    const input = asCount(this.request.promptTokens) ?? asCount(this.#fields.promptTokens) ?? 0;
    if (input === 0) return null;
    const summed = replies <= 1 ? asCount(this.request.completionTokens) : null;
    const output = summed ?? asCount(this.#fields.outputTokens) ?? 0;
    return { input, output, cacheRead: 0, cacheWrite: 0 };
  }

  #addCall(call: JsonRecord, round: number): void {
    const id = asName(call.id);
    const name = asName(call.name);
    if (id === null || name === null) return;
    this.#calls.set(plainId(id), { name, input: inputOf(call.arguments), round });
  }
}

/** VS Code adds a mark of its own to the ids of the model's calls. */
function plainId(id: string): string {
  const mark = id.indexOf('__vscode');
  return mark > 0 ? id.slice(0, mark) : id;
}

function contentText({ value }: JsonRecord): string {
  return leafText(value);
}

function inputOf(value: unknown): unknown {
  const text = asText(value);
  return text === null ? value : parsedOrText(text);
}
