/** Stands for the messages of earlier sessions in `rows-beneath`, in place of a compaction's id. */
export const earlierRows = 'earlier';
