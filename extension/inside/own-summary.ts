import { coreText } from '../engine/core/core';
import type { Inspection } from '../inspection/inspection';

/** What a summary needs so that the work can continue from it. For agents whose own model writes it. */
const wanted = [
  'In the summary, state:',
  '- the newest request of the user, word for word, and exactly where the work on it stands;',
  '- the next concrete action;',
  '- what is decided, marked as settled; what was asked and is not answered; what is finished and must not be begun again;',
  '- signatures, values, errors and lines that were learned from files, so that they are not read again;',
  '- ways that failed, with the reason.',
].join('\n');

type Summarized = Pick<Inspection, 'handedOver'>;

/** Instructions for an agent's own summarizer, with the core. */
export function ownSummaryInstructions(inspection: Summarized): string {
  const core = coreAfterOwnSummary(inspection);
  return core === '' ? wanted : `${wanted}\n\nKeep this word for word:\n\n${core}`;
}

/** The core, which no message states once all of them are summarised. Empty without a core. */
export function coreAfterOwnSummary({ handedOver }: Summarized): string {
  return handedOver === null ? '' : coreText(handedOver);
}
