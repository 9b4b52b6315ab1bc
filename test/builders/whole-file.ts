import type { FileEnds } from '../../extension/platform/files/head-and-tail';

/** The lines of a file that is short enough to be read whole. */
export const wholeFile = (lines: readonly string[]): FileEnds => ({ head: lines, tail: [], hasGap: false });
