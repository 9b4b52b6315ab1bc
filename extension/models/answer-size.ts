/** Maximum length of a chat answer in UTF-16 units. A model that exceeds it repeats itself. */
export const longestAnswer = 4 * 1024 * 1024;

/** Follows the name of the call in the message about an answer that was cut off. */
export const tooLong = `was broken off: its answer grew beyond ${longestAnswer / 1024 / 1024} MB of text.`;

/** Measures an answer against the maximum length. */
export class AnswerSize {
  #length = 0;

  /** True once the answer is too long. */
  add(piece: string): boolean {
    this.#length += piece.length;
    return this.#length > longestAnswer;
  }
}
