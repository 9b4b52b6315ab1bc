import type { BusyView } from '../../extension/protocol/messages';
import type { CompactionView, PreviewView } from '../../extension/protocol/view';
import { formatCount, formatDuration, formatTokens } from './format';

/** A few words, and what hovering them explains. */
export interface Fact {
  readonly text: string;
  readonly note: string;
}

type TokensSpent = PreviewView['tokensSpent'];

const cacheNote =
  'Providers keep the beginning of a prompt for reuse. What stands behind the first replaced message is read anew at full price once, with the next request.';

/** What a preview has cost already, and what applying it will. */
export function previewCost(preview: PreviewView): Fact[] {
  return [spentFact(preview.tokensSpent), cacheFact(preview.cacheTokensInvalidated)].filter(isKnown);
}

const triggers = {
  manual: { text: 'by hand', note: 'A person started it' },
  automatic: { text: 'by itself', note: 'Automatic compaction started it' },
} as const;

/** What can be told of how a compaction came about and what it cost. Nothing is said of what nobody knows. */
export function compactionCost(compaction: CompactionView): Fact[] {
  const { trigger, tokensSpent, durationMs, cacheTokensInvalidated, repaired } = compaction;
  return [
    trigger && triggers[trigger],
    spentFact(tokensSpent),
    durationMs === null ? null : { text: formatDuration(durationMs), note: 'How long the summary took' },
    cacheFact(cacheTokensInvalidated),
    repaired === 0
      ? null
      : { text: `${repaired} put back`, note: 'Names that the summary had dropped and that were added to it again' },
  ].filter(isKnown);
}

function isKnown(fact: Fact | null): fact is Fact {
  return fact !== null;
}

function spentFact(spent: TokensSpent | null): Fact | null {
  if (spent === null || spent.input + spent.output === 0) return null;
  return {
    text: `${formatTokens(spent.input + spent.output)} tokens spent`,
    note: `The summarizer read ${formatCount(spent.input)} tokens and wrote ${formatCount(spent.output)}`,
  };
}

function cacheFact(tokens: number | null): Fact | null {
  if (tokens === null || tokens === 0) return null;
  return { text: `${formatTokens(tokens)} cached tokens to read anew`, note: cacheNote };
}

/** `3 of 12 blocks`; empty before the first is begun. */
export function progressText({ progress }: BusyView): string {
  return progress ? `${progress.done} of ${progress.of} ${progress.of === 1 ? 'block' : 'blocks'}` : '';
}

/** The end of what streams, on one line. */
export function streamedLine({ progress }: BusyView): string {
  return (progress?.text ?? '').replaceAll(/\s+/g, ' ').trim();
}
