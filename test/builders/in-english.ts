import type { LocalizableText } from '../../extension/engine/wording/localizable-text';

/** The same object with its message in English. */
export function inEnglish<T extends { readonly message: LocalizableText }>(
  told: T,
): Omit<T, 'message'> & { message: string } {
  return { ...told, message: String(told.message) };
}
