import type { ForkFormat } from '../fork/fork-format';
import { compacted, titled } from './fork-compaction';
import { copy } from './fork-copy';
import { codexMends } from './fork-mends';
import { place } from './fork-place';

export const fork: ForkFormat = { place, copy, compacted, titled, mends: codexMends };
