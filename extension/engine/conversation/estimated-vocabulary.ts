/**
 * Number of tokens, the commonest first, that the estimate has of the 200,000 of `o200k_base`. The library's build keeps
 * only these.
 */
export const estimatedVocabulary = 50_000;
