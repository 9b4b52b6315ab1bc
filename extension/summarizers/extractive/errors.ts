import type { SectionName } from '../../engine/block/sections';
import { statesError } from '../../engine/language/problems';
import type { Account } from './account';
import { type Candidate, item } from './candidate';

const maxErrors = 4;

/** Errors that the last states of commands do not say are over, verbatim. */
export function errorsAndFigures({ artifacts, commands, files }: Account, section: SectionName): Candidate[] {
  const repaired = [...commands, ...files].flatMap(({ repaired: problem }) => problem ?? []);
  return artifacts
    .filter(
      ({ kind, text }) =>
        kind === 'error' && statesError(text) && !repaired.some((problem) => problem.includes(text.slice(0, 60))),
    )
    .slice(0, maxErrors)
    .map(({ text, entryIds, weight }) =>
      item(
        section,
        'structure',
        { text, entryId: entryIds.at(-1) ?? '' },
        Math.min(1, weight),
        `- error seen: ${text}`,
      ),
    );
}
