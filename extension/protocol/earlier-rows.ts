/** Names the messages of earlier sessions in `rows-beneath`, in the place of a compaction's id. */
export const earlierRows = 'earlier';
