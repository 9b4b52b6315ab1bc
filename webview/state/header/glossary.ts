import { t } from '../../l10n';

interface Word {
  readonly word: string;
  readonly means: string;
}

/** The meanings of the panel's own words, in the order in which a reader meets them. */
export const glossary: readonly Word[] = [
  {
    word: t('Context'),
    means: t(
      'What the model is sent with the next request: the system prompt, messages, tool calls and their results.',
    ),
  },
  { word: t('Window'), means: t('How many tokens the model takes in at once. A token is about four letters.') },
  {
    word: t('Reported, estimated, counted since'),
    means: t(
      'Reported: the provider’s own number for the newest reply. Estimated: counted here and scaled as the provider counts. All numbers are in this one unit, so they add up.',
    ),
  },
  {
    word: t('Turn, step'),
    means: t(
      'A turn is a message of yours and all that the agent did until your next one. A step is one reply with the results of its tool calls.',
    ),
  },
  {
    word: t('Injected'),
    means: t('Text that the agent put between your messages: notifications, output of its own commands, reminders.'),
  },
  {
    word: t('Compaction, block'),
    means: t(
      'A compaction replaces old messages by a short text, the block. The session file stays as it is, and each compaction can be undone.',
    ),
  },
  { word: t('Summary'), means: t('A block over tool calls or replies.') },
  { word: t('Goal batch'), means: t('A block over several finished turns: what was asked, done and decided in them.') },
  {
    word: t('Core'),
    means: t(
      'Goals, rules and decisions that you pinned. No compaction by Strata changes them; the Core tab says what the agent’s own does.',
    ),
  },
  {
    word: t('Now, and after'),
    means: t(
      'An agent continues with its own context. What was compacted here reaches it in a new session (a fork), or with its next compaction if Strata is set up in it.',
    ),
  },
  {
    word: t('Fork'),
    means: t('A new session of the same agent with the context as shown here. The old one is not changed.'),
  },
  {
    word: t('Auto-compact line'),
    means: t('At this size the agent compacts by itself, or Strata does so in its place. The legend says which.'),
  },
  { word: t('Reserve'), means: t('Tokens kept free for the next reply and the next summary.') },
  { word: t('Newest part'), means: t('Rows below the dashed line of the timeline are too recent to be compacted.') },
  {
    word: t('Word for word, shortened'),
    means: t(
      'How much of a message is in the context: all of its words, or its beginning and a mark for the omitted rest. Other words with the same meaning do not count.',
    ),
  },
  {
    word: t('First messages'),
    means: t('Your first five messages. The chart shows how much of them is in the context after each compaction.'),
  },
  {
    word: t('Prompt cache'),
    means: t(
      'Providers charge less for the beginning of a prompt that they have seen before. After a compaction they read what follows it at full price once.',
    ),
  },
];
