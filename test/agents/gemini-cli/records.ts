/* Minimal Gemini CLI records. A message's id is its name in the test. */
export type GeminiRecord = Record<string, unknown>;

export const header: GeminiRecord = { sessionId: 'session', projectHash: 'hash', kind: 'main' };

export const text = (value: string): GeminiRecord => ({ text: value });
export const thought = (value: string): GeminiRecord => ({ text: value, thought: true });
export const call = (id: string, name = 'shell'): GeminiRecord => ({ functionCall: { id, name, args: {} } });

export function result(id: string, output: string, name = 'shell'): GeminiRecord {
  return { functionResponse: { id, name, response: { output } } };
}

export function said(id: string, ...parts: readonly (GeminiRecord | string)[]): GeminiRecord {
  return { id, type: 'user', content: parts.map((part) => (typeof part === 'string' ? text(part) : part)) };
}

export function replied(id: string, content: unknown, more: GeminiRecord = {}): GeminiRecord {
  return { id, type: 'gemini', content, model: 'scripted', ...more };
}

export function toolCall(id: string, output?: string): GeminiRecord {
  const call = { id, name: 'shell', args: {} };
  return output === undefined ? call : { ...call, result: [result(id, output)], status: 'success' };
}

export const listed = (...messages: readonly GeminiRecord[]): GeminiRecord => ({ $set: { messages } });
export const rewound = (id: string): GeminiRecord => ({ $rewindTo: id });
