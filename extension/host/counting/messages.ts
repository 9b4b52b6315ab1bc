/** Messages between the host and its counting thread. */
export interface CountRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface CountReply {
  readonly id: number;
  /** Tokens of each text, in the order of the texts. */
  readonly counts: readonly number[];
}
