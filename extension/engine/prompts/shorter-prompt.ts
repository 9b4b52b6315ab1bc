import type { Prompt } from '../block/language-model';
import type { SummaryRequest } from '../block/summary';
import { escapedForQuotation, quotation } from '../language/quotation';
import { listed } from './rules';
import { wordsFor } from './task';
import { memoryVoice, quotationRule } from './voice';

/** Models write more words than they are asked for, so the second time they are asked for fewer. */
const shareOfWords = 0.8;

const kept = listed('Keep word for word:', [
  'the constraints, preferences and corrections of the person, and what is settled',
  'the newest request, where the work on it stands, the next action, and what was asked and not answered',
  'exact names, values and errors that the next steps need',
]);

function wanted(request: SummaryRequest): string {
  return `Write it again in at most ${Math.floor(wordsFor(request) * shareOfWords)} words, with the same headings in the same order.`;
}

/** Asks once for a shorter text in place of one that is whole and too long. The record is not needed for that. */
export function shorterPrompt(draft: string, request: SummaryRequest): Prompt {
  return {
    system: [memoryVoice, quotationRule].join('\n\n'),
    user: [
      `The memory below is yours, and longer than there is room for. ${wanted(request)} Say in fewer words, or leave out, what later work made irrelevant, what is finished and what can be looked up again.`,
      kept,
      quotation('your memory', escapedForQuotation(draft)),
      'Now write the shorter memory and nothing else.',
    ].join('\n\n'),
  };
}

/** Asks once more where the answer was cut off: what it would have said at its end is not known. */
export function promptAfterCut({ system, user }: Prompt, request: SummaryRequest): Prompt {
  const again = `Your answer to this was longer than there is room for, and its end was cut off. ${wanted(request)}`;
  return { system, user: [user, again, kept].join('\n\n') };
}
