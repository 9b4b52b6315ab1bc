import type { Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { leafText, parsedOrText } from './text';

export interface RoundCall {
  readonly name: string;
  readonly input: unknown;
  /** Calls of one round belong to one reply. */
  readonly round: number;
}

/**
 * The metadata that an agent adds to the result of a request. GitHub Copilot Chat records the model's exact tool calls and
 * results there, while the response only contains what VS Code displayed.
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

  /** False for agents other than GitHub Copilot Chat. */
  get hasCalls(): boolean {
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
   * The usage of the newest reply. VS Code sums the output of all replies to a request. With several replies the sum is
   * not used, because the prompt of the newest one includes the earlier replies.
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

/** VS Code appends a suffix to the ids of the model's calls. */
function plainId(id: string): string {
  const suffix = id.indexOf('__vscode');
  return suffix > 0 ? id.slice(0, suffix) : id;
}

function contentText({ value }: JsonRecord): string {
  return leafText(value);
}

function inputOf(value: unknown): unknown {
  const text = asText(value);
  return text === null ? value : parsedOrText(text);
}
