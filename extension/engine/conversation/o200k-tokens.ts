import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';
import { tokenBytes } from './token-table';

/** The tokens of `o200k_base`. The builds of host and command line contain their bytes, which load faster than the texts. */
export const o200kTokens: Uint8Array = tokenBytes(vocabulary);
