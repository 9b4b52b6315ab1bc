import { byWords, inPieces } from './counted-pieces';
import { o200kTokens } from './o200k-tokens';
import { TokenTable } from './token-table';
import { type CountTokens, named } from './tokens';

/**
 * Counts with `o200k_base`. Very long texts are cut into chunks, which changes the count by at most one token for each
 * cut. `<|im_start|>` in a session is ordinary text: special tokens are not known.
 */
export const countWithO200k: CountTokens = named('o200k', inPieces(byWords(new TokenTable(o200kTokens))));
