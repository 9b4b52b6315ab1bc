/**
 * Exact token counts of `o200k_base`, for the option `countTokens`. Needs the package `gpt-tokenizer`.
 *
 * @module strata-context/o200k
 */

export { countWithO200k } from '../engine/conversation/tokenizer';
