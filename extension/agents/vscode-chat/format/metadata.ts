import { parsedOrText } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { leafText } from './text';

interface RoundCall {
  readonly name: string;
  readonly input: unknown;
  /** Calls of one round belong to one reply. */
  readonly round: number;
}

const metadataRecord = s.record({
  resolvedModel: s.name,
  promptTokens: s.countOrZero,
  outputTokens: s.countOrZero,
  toolCallRounds: s.records({ toolCalls: s.records({ id: s.name, name: s.name, arguments: s.anything }) }),
  toolCallResults: s.jsonRecord,
});

const callResult = s.record({ content: s.records({ value: s.anything }) });

/**
 * The metadata that an agent adds to the result of a request. GitHub Copilot Chat records the model's exact tool calls and
 * results there, while the response only contains what VS Code displayed.
 */
export class RequestMetadata {
  readonly model: string | null;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly #calls = new Map<string, RoundCall>();
  readonly #results = new Map<string, string>();

  constructor(metadata: unknown) {
    const fields = s.read(metadataRecord, metadata);
    this.model = fields.resolvedModel;
    this.promptTokens = fields.promptTokens;
    this.outputTokens = fields.outputTokens;
    for (const [round, { toolCalls }] of fields.toolCallRounds.entries()) {
      for (const { id, name, arguments: input } of toolCalls) {
        if (id !== null && name !== null) this.#calls.set(plainId(id), { name, input: inputOf(input), round });
      }
    }
    for (const [id, result] of Object.entries(fields.toolCallResults ?? {})) {
      const { content } = s.read(callResult, result);
      this.#results.set(plainId(id), content.map(({ value }) => leafText(value)).join('\n'));
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
}

/** VS Code appends a suffix to the ids of the model's calls. */
function plainId(id: string): string {
  const suffix = id.indexOf('__vscode');
  return suffix > 0 ? id.slice(0, suffix) : id;
}

function inputOf(value: unknown): unknown {
  return typeof value === 'string' ? parsedOrText(value) : value;
}
