import { type LocalizableText, localizable, wordingOf } from '../wording/localizable-text';

/** An unusable answer. The reason is for a person. */
export interface UnusableAnswer {
  readonly kind: 'unusable';
  readonly reason: LocalizableText;
}

type JsonAnswer = { readonly kind: 'json'; readonly value: JsonObject } | UnusableAnswer;
export type JsonObject = Readonly<Record<string, unknown>>;

export function unusable(reason: LocalizableText): UnusableAnswer {
  return { kind: 'unusable', reason };
}

/**
 * Parses the JSON object of an answer, wherever it is: in a code fence, after a sentence, after reasoning. Never
 * throws.
 */
export function jsonAnswer(answer: string): JsonAnswer {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '');
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return unusable(localizable('the answer has no JSON object'));
  try {
    return objectOf(JSON.parse(text.slice(start, end + 1)));
  } catch (error) {
    return unusable(localizable('the answer is not valid JSON ({0})', wordingOf(error)));
  }
}

function objectOf(value: unknown): JsonAnswer {
  if (!isObject(value)) return unusable(localizable('the answer is not a JSON object'));
  return { kind: 'json', value };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The trimmed text; null if it is empty or no text. */
export function textField(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The distinct texts of a list; null if it is no list of texts. */
export function textsField(object: JsonObject, name: string): string[] | null {
  const value = object[name];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return null;
  return [...new Set(value.map((item) => item.trim()).filter((item) => item !== ''))];
}
