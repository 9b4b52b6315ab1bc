import * as s from '../../../extension/platform/json/schemas';
import { type Asked, beginStream, json, send } from '../../builders/scripted-model-server';
import type { ScriptedReply } from './script';
import type { Answer } from './server';

/** Gemini `generateContent`. Cached tokens are part of the prompt's. */
export const answerGemini: Answer = (response, asked, reply, number) => {
  const whole = {
    responseId: `response-${number}`,
    modelVersion: 'scripted',
    candidates: [{ index: 0, content: { role: 'model', parts: partsOf(reply, asked) }, finishReason: 'STOP' }],
    usageMetadata: usageOf(reply),
  };
  if (!asked.path.includes(':streamGenerateContent')) return json(response, 200, whole);
  beginStream(response);
  send(response, whole);
  response.end();
};

function partsOf({ text, reasoning, calls, purpose }: ScriptedReply, { body }: Asked): unknown[] {
  const config = s.jsonRecord(body.generationConfig);
  if (config?.responseMimeType === 'application/json' && purpose === 'other') return [{ text: jsonFor(config) }];
  // The first of several parallel calls has the signature.
  const called = calls.map(({ name, input }, index) => ({
    functionCall: { name, args: input },
    ...(index === 0 ? { thoughtSignature: geminiSignature(reasoning) } : {}),
  }));
  const thinks = s.jsonRecord(config?.thinkingConfig)?.includeThoughts === true;
  return [...(thinks ? [{ text: `**Thinking** ${reasoning}`, thought: true }] : []), { text }, ...called];
}

export function geminiSignature(reasoning: string): string {
  return Buffer.from(reasoning).toString('base64');
}

/** The agent also asks small questions of its own and expects an object: the first of the choices, or a word. */
function jsonFor(config: Readonly<Record<string, unknown>>): string {
  const schema = s.jsonRecord(config.responseJsonSchema) ?? s.jsonRecord(config.responseSchema);
  const properties = Object.entries(s.jsonRecord(schema?.properties) ?? {});
  return JSON.stringify(Object.fromEntries(properties.map(([name, type]) => [name, exampleOf(s.jsonRecord(type))])));
}

function exampleOf(type: Readonly<Record<string, unknown>> | null): unknown {
  if (Array.isArray(type?.enum)) return type.enum[0];
  switch (String(type?.type).toLowerCase()) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    default:
      return 'nothing';
  }
}

function usageOf({ usage }: ScriptedReply) {
  const promptTokenCount = usage.input + usage.cacheRead;
  return {
    promptTokenCount,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output,
    thoughtsTokenCount: 0,
    totalTokenCount: promptTokenCount + usage.output,
  };
}
