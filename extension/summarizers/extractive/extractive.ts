import type { SectionName } from '../../engine/compaction/sections';
import type { Summarizer, Summary, SummaryRequest } from '../../engine/compaction/summary';
import type { Candidate } from './candidate';
import { candidatesFor } from './sections';
import { selectCandidates } from './select';

/**
 * Needs no model: fills the sections with verbatim pieces of the replaced entries, each with its origin. It never
 * invents; around the pieces stand only the labels that ADR 40 lays out. A section without a piece is left out.
 */
export const extractiveSummarizer: Summarizer = {
  name: 'extractive',
  model: null,
  concurrency: 1,
  async summarize(request, signal) {
    await otherWork();
    signal.throwIfAborted();
    return extract(request);
  },
};

/** Lets whatever waits have its turn between two blocks: a keystroke in the editor, or Ctrl+C. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

export function extract(request: SummaryRequest): Summary {
  const chosen = selectCandidates(candidatesFor(request), request);
  return {
    body: request.sections.flatMap((section) => sectionText(section, chosen)).join('\n\n'),
    spans: chosen.map(({ section, text, entryId }) => ({ section, text, entryId })),
    tokensSpent: { input: 0, output: 0 },
    promptHash: null,
  };
}

function sectionText(section: SectionName, chosen: readonly Candidate[]): string[] {
  const lines = chosen.filter((candidate) => candidate.section === section).map((candidate) => candidate.line);
  return lines.length > 0 ? [`## ${section}\n${lines.join('\n')}`] : [];
}
