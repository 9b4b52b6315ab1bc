import type { BusyView } from '../../../extension/protocol/messages';
import type { CompactionView, PreviewBlock, PreviewView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatCount, formatDuration, formatTokens } from './format';

/** A short text with its tooltip. */
export interface Fact {
  readonly text: string;
  readonly note: string;
}

type TokensSpent = PreviewView['tokensSpent'];

const cacheNote = t(
  'Providers cache the beginning of a prompt and charge less for it. All that follows the first replaced message is charged in full once, with the next request.',
);

/** The cost of a preview so far and of applying it. */
export function previewCost(preview: PreviewView): Fact[] {
  return [spentFact(preview.tokensSpent), cacheFact(preview.cacheTokensInvalidated)].filter(isKnown);
}

const triggers = {
  manual: { text: t('by hand'), note: t('A person started it') },
  automatic: { text: t('automatic'), note: t('Automatic compaction started it') },
} as const;

/** Milliseconds; without a model, a summary takes no time that matters. */
const shortestShown = 1000;

/** Who wrote a block, with how many tokens. */
export function blockWriter({ summarizer, tokensSpent }: Pick<PreviewBlock, 'summarizer' | 'tokensSpent'>): Fact {
  const { input, output } = tokensSpent;
  if (summarizer === null) return { text: t('written without a model'), note: t('It cost no tokens') };
  return {
    text: t('written by {0} with {1} tokens', summarizer, formatTokens(input + output)),
    note: t('The summarizer read {0} tokens and wrote {1}', formatCount(input), formatCount(output)),
  };
}

/** How a compaction was started and what it cost. Unknown facts are left out. */
export function compactionCost(compaction: CompactionView): Fact[] {
  const { trigger, excludes, tokensSpent, durationMs, cacheTokensInvalidated, repaired } = compaction;
  return [
    trigger && !excludes && triggers[trigger],
    spentFact(tokensSpent),
    durationMs === null || durationMs < shortestShown
      ? null
      : { text: formatDuration(durationMs), note: t('How long the summary took') },
    cacheFact(cacheTokensInvalidated),
    repaired === 0
      ? null
      : {
          text: t('{0} put back', repaired),
          note: t('Lines about what the summary lacked, which were added at its end'),
        },
  ].filter(isKnown);
}

function isKnown(fact: Fact | null | false): fact is Fact {
  return fact !== null && fact !== false;
}

function spentFact(spent: TokensSpent | null): Fact | null {
  if (spent === null || spent.input + spent.output === 0) return null;
  return {
    text: t('{0} tokens spent', formatTokens(spent.input + spent.output)),
    note: t('The summarizer read {0} tokens and wrote {1}', formatCount(spent.input), formatCount(spent.output)),
  };
}

function cacheFact(tokens: number | null): Fact | null {
  if (tokens === null || tokens === 0) return null;
  return { text: t('{0} tokens lose the prompt cache', formatTokens(tokens)), note: cacheNote };
}

/** `3 of 12 blocks`; empty before the first one is started. */
export function progressText({ progress }: BusyView): string {
  if (!progress) return '';
  const { done, of } = progress;
  return of === 1 ? t('{0} of 1 block', done) : t('{0} of {1} blocks', done, of);
}

/** The end of the streamed text on one line. */
export function streamedLine({ progress }: BusyView): string {
  return (progress?.text ?? '').replaceAll(/\s+/g, ' ').trim();
}
