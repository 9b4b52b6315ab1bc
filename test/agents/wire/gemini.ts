import * as s from '../../../extension/platform/json/schemas';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** Gemini `generateContent`. Calls and results without ids are paired by their order. */
export function readGemini(body: s.JsonRecord): WireRequest {
  const pairing = new Pairing();
  return {
    system: textIn(s.jsonRecord(body.systemInstruction)?.parts),
    said: s
      .jsonRecords(body.contents)
      .flatMap(({ role, parts }) =>
        s.jsonRecords(parts).flatMap((part) => utterance(role === 'model' ? 'assistant' : 'user', part, pairing)),
      ),
    tools: s
      .jsonRecords(body.tools)
      .flatMap(({ functionDeclarations }) => s.jsonRecords(functionDeclarations).map(({ name }) => s.text(name))),
  };
}

function utterance(role: 'user' | 'assistant', part: s.JsonRecord, pairing: Pairing): Utterance[] {
  const call = s.jsonRecord(part.functionCall);
  if (call !== null) {
    const name = s.text(call.name);
    return [{ kind: 'call', callId: pairing.begin(name, s.textOrNull(call.id)), name, input: call.args ?? {} }];
  }
  const result = s.jsonRecord(part.functionResponse);
  if (result !== null) {
    const callId = pairing.end(s.text(result.name), s.textOrNull(result.id));
    return [{ kind: 'result', callId, text: responseText(s.jsonRecord(result.response)) }];
  }
  return part.thought === true ? [] : spoken(role, s.text(part.text));
}

function responseText(response: s.JsonRecord | null): string {
  return s.textOrNull(response?.output) ?? s.textOrNull(response?.error) ?? JSON.stringify(response);
}

class Pairing {
  #calls = 0;
  readonly #open = new Map<string, string[]>();

  begin(name: string, id: string | null): string {
    this.#calls += 1;
    const callId = id ?? `call-${this.#calls}`;
    if (id === null) this.#open.set(name, [...(this.#open.get(name) ?? []), callId]);
    return callId;
  }

  end(name: string, id: string | null): string {
    return id ?? this.#open.get(name)?.shift() ?? '';
  }
}
