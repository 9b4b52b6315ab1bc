import { type LocalizableText, localizable } from '../engine/wording/localizable-text';

/** Maximum length of a chat answer in UTF-16 units. A model that exceeds it repeats itself. */
const longestAnswer = 4 * 1024 * 1024;

/** The message about an answer that was cut off. */
export function tooLong(call: LocalizableText): LocalizableText {
  return localizable('{0} was stopped: its answer grew beyond {1} MB of text.', call, longestAnswer / 1024 / 1024);
}

/** Measures an answer against the maximum length. */
export class AnswerSize {
  #length = 0;

  /** True once the answer is too long. */
  add(piece: string): boolean {
    this.#length += piece.length;
    return this.#length > longestAnswer;
  }
}
