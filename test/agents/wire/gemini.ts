import { asRecord, asRecords, asText, type JsonRecord } from '../../../extension/sessions/records/json';
import { textIn } from './text';
import { spoken, type Utterance, type WireRequest } from './utterance';

/** Gemini `generateContent`. It pairs calls and results by their order, where they have no ids. */
export function readGemini(body: JsonRecord): WireRequest {
  const pairing = new Pairing();
  return {
    system: textIn(asRecord(body.systemInstruction)?.parts),
    said: asRecords(body.contents).flatMap(({ role, parts }) =>
      asRecords(parts).flatMap((part) => utterance(role === 'model' ? 'assistant' : 'user', part, pairing)),
    ),
    tools: asRecords(body.tools).flatMap(({ functionDeclarations }) =>
      asRecords(functionDeclarations).map(({ name }) => asText(name) ?? ''),
    ),
  };
}

function utterance(role: 'user' | 'assistant', part: JsonRecord, pairing: Pairing): Utterance[] {
  const call = asRecord(part.functionCall);
  if (call !== null) {
    const name = asText(call.name) ?? '';
    return [{ kind: 'call', callId: pairing.begin(name, asText(call.id)), name, input: call.args ?? {} }];
  }
  const result = asRecord(part.functionResponse);
  if (result !== null) {
    const callId = pairing.end(asText(result.name) ?? '', asText(result.id));
    return [{ kind: 'result', callId, text: responseText(asRecord(result.response)) }];
  }
  return part.thought === true ? [] : spoken(role, asText(part.text) ?? '');
}

function responseText(response: JsonRecord | null): string {
  return asText(response?.output) ?? asText(response?.error) ?? JSON.stringify(response);
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
