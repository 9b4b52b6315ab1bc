/** An answer that is not what was asked for. The reason is for a person. */
export interface Garbled {
  readonly kind: 'garbled';
  readonly reason: string;
}

export type JsonAnswer = { readonly kind: 'json'; readonly value: JsonObject } | Garbled;
export type JsonObject = Readonly<Record<string, unknown>>;

export function garbled(reason: string): Garbled {
  return { kind: 'garbled', reason };
}

/**
 * The one JSON object of an answer, wherever it stands: in a code fence, after a sentence, after the model's reasoning.
 * Never throws.
 */
export function jsonAnswer(answer: string): JsonAnswer {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '');
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return garbled('the answer holds no JSON object');
  try {
    return objectOf(JSON.parse(text.slice(start, end + 1)));
  } catch (error) {
    return garbled(`the answer is no valid JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function objectOf(value: unknown): JsonAnswer {
  if (!isObject(value)) return garbled('the answer is no JSON object');
  return { kind: 'json', value };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text with something in it; null for anything else. */
export function textField(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The texts of a list, each once; null where it is no list of texts. */
export function textsField(object: JsonObject, name: string): string[] | null {
  const value = object[name];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return null;
  return [...new Set(value.map((item) => item.trim()).filter((item) => item !== ''))];
}
