import { type LocalizableText, localizable, wordingOf } from '../wording/localizable-text';

/** An answer that was read, or why it could not be. The reason is for a person. */
export type ParsedAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'unusable'; readonly reason: LocalizableText };
export type JsonObject = Readonly<Record<string, unknown>>;

export function unusable(reason: LocalizableText): ParsedAnswer<never> {
  return { kind: 'unusable', reason };
}

/** `lacking`: the reason if there is no value. */
export function answerOr<T>(lacking: LocalizableText, value: T | null): ParsedAnswer<T> {
  return value === null ? unusable(lacking) : { kind: 'answer', value };
}

/**
 * Reads the JSON object of an answer, wherever it is: in a code fence, after a sentence, after reasoning. Never
 * throws.
 */
export function jsonAnswer<T>(answer: string, read: (object: JsonObject) => ParsedAnswer<T>): ParsedAnswer<T> {
  const text = answer.replace(/<think>[\s\S]*?<\/think>/g, '');
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return unusable(localizable('the answer has no JSON object'));
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    return unusable(localizable('the answer is not valid JSON ({0})', wordingOf(error)));
  }
  return isObject(value) ? read(value) : unusable(localizable('the answer is not a JSON object'));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The trimmed text; null if it is empty or no text. */
export function textField(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** The distinct texts of a list; null if it is not a list of texts. */
export function textsField(object: JsonObject, name: string): string[] | null {
  const value = object[name];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return null;
  return [...new Set(value.map((item) => item.trim()).filter((item) => item !== ''))];
}
