import type { SectionName } from '../../engine/block/sections';
import { statesError } from '../../engine/ledger/problems';
import type { Account } from './account';
import { type Candidate, item } from './candidate';

const maxErrors = 3;

/** Errors of the last runs of commands and the last changes of files, verbatim. What failed earlier is over. */
export function errorsAndFigures({ artifacts, commands, files }: Account, section: SectionName): Candidate[] {
  const standing = [...commands.filter(({ isLook }) => !isLook), ...files].flatMap(({ problem }) => problem ?? []);
  return artifacts
    .filter(
      ({ kind, text }) => kind === 'error' && statesError(text) && standing.some((problem) => isSame(text, problem)),
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

/** Problems are cut to a length. */
const compared = 60;

function isSame(error: string, problem: string): boolean {
  return problem.includes(error.slice(0, compared)) || error.includes(problem.slice(0, compared));
}
