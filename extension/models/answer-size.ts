/** No answer of a chat is longer; a model that goes on says the same again and again. In UTF-16 units. */
export const longestAnswer = 4 * 1024 * 1024;

/** What to say of an answer that was broken off, after the name of the call. */
export const tooLong = `was broken off: its answer grew beyond ${longestAnswer / 1024 / 1024} MB of text.`;

/** Tells when an answer gets too long. */
export class AnswerSize {
  #length = 0;

  /** True once it is too long. */
  add(piece: string): boolean {
    this.#length += piece.length;
    return this.#length > longestAnswer;
  }
}
