/** For a model with an unknown window, in tokens: a common minimum of local servers. */
export const assumedModelWindow = 32_768;

/** A safety margin: the model's own tokenizer may count more than Strata's. */
const promptShare = 0.85;
const answerRoom = { share: 0.25, most: 18_000 };

/** Maximum tokens of a prompt for a model with this window. */
export function promptRoom(contextWindow: number): number {
  return Math.floor(contextWindow * promptShare - Math.min(answerRoom.most, contextWindow * answerRoom.share));
}

/** Models cannot count their words, so a summary may exceed the requested length by this factor. */
const slack = { share: 1.25, tokens: 64 };

/** Maximum tokens of a summary; a longer one is too long. */
export function outputCap(maxTokens: number): number {
  return Math.ceil(maxTokens * slack.share) + slack.tokens;
}

/**
 * The requested maximum exceeds the limit by this factor, because a complete text that is too long can be shortened,
 * but one without its end cannot.
 */
const untilCut = 1.6;

/** Tokens at which the answer with one summary is cut off. */
export function answerCap(maxTokens: number): number {
  const most = outputCap(maxTokens);
  return Math.max(most, Math.min(Math.ceil(most * untilCut), answerRoom.most));
}

/** The longest answer of one call: as long as that of the longest single summary. */
const longestAnswer = 16_384;

/** Maximum tokens of all bodies of a shared call for a model with this room for prompts. */
export function sharedBodyTokens(maxPromptTokens: number): number {
  const room = (maxPromptTokens * answerRoom.share) / (promptShare - answerRoom.share);
  return Math.min(longestAnswer, room) / slack.share;
}
