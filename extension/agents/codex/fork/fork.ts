import type { ForkFormat } from '../../../sessions/fork/fork-format';
import { compacted, titled } from './compaction';
import { copy } from './copy';
import { codexMends } from './mends';
import { place } from './place';

export const fork: ForkFormat = { place, copy, compacted, titled, mends: codexMends };
