export interface ModelSummarizerOptions {
  /** Maximum tokens of a prompt: the model's window minus the room for its answer. */
  readonly maxPromptTokens: number;
  /** The model is asked in the conversation itself, one block a call. */
  readonly isRecordAbove?: true;
}
