import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { byWords, inPieces } from './counted-pieces';
import { type CountTokens, named } from './tokens';

/** `<|im_start|>` in a session is ordinary text: it neither opens a message nor throws. */
const specialTokensAsText = { disallowedSpecial: new Set<string>() };

/**
 * Counts with `o200k_base`. Very long texts are cut into chunks, which changes the count by at most one token for each
 * cut.
 */
export const countWithO200k: CountTokens = named(
  'o200k',
  inPieces(byWords((word) => countTokens(word, specialTokensAsText))),
);
