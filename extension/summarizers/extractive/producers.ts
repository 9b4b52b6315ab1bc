import type { SectionName } from '../../engine/block/sections';
import type { Account } from './account';
import { type Candidate, item } from './candidate';
import { errorsAndFigures } from './errors';
import { operationLines, statusLines } from './operations';
import { allSaid, answers, directions, goalArc, questions, rules, unanswered } from './person';
import {
  earlierReports,
  lastSaidToBeOpen,
  newestRemarks,
  onceSaidToBeOpen,
  remarksOf,
  remarksUnderWay,
  saidToBeOpen,
  standingReports,
} from './remark-lines';
import {
  changedFiles,
  checkStates,
  failingChecks,
  planDone,
  planPending,
  planUnderWay,
  readFiles,
  repairedCommands,
  repairedFiles,
  repositoryLines,
  uncommittedFiles,
  waysGivenUp,
} from './work';

/** The candidates of a section, in the order in which they stand in it. */
type Producer = (account: Account, section: SectionName) => Candidate[];

function all(...producers: readonly Producer[]): Producer {
  return (account, section) => producers.flatMap((produce) => produce(account, section));
}

/** Person and agent take turns, as they did: each remark stands behind what it answers. */
function asToldInTurns(...producers: readonly Producer[]): Producer {
  return (account, section) => {
    const placeOf = ({ excerpts: [first] }: Candidate) => account.placeOf(first?.entryId ?? '');
    return all(...producers)(account, section).sort((one, other) => placeOf(one) - placeOf(other));
  };
}

const concluded = remarksOf('goal', 'cause', 'decision', 'other');
const deadEnds = all(waysGivenUp, remarksOf('given-up'));
const done = all(repositoryLines, planDone, changedFiles, standingReports);
const open = all(planPending, failingChecks, uncommittedFiles, saidToBeOpen);

/** One for each section (docs/specification.md, "Without a model"); a strategy only names the sections that it wants. */
const producers: Readonly<Record<SectionName, Producer>> = {
  Strategy: ({ remarks }, section) =>
    remarks
      .filter(({ kind }) => kind !== 'open')
      .slice(0, 1)
      .map((remark) => ({ ...item(section, 'agent', remark, 1, remark.text) })),
  Operations: operationLines,
  Discoveries: all(answers, concluded, earlierReports),
  'Dead Ends': deadEnds,
  'What Worked': all(repairedCommands, repairedFiles, repositoryLines, standingReports),
  'Critical Artifacts': errorsAndFigures,
  Status: all(statusLines),
  Milestones: all(repositoryLines, planDone, standingReports),
  'Key Decisions': all(answers, remarksOf('decision')),
  Findings: all(remarksOf('goal', 'cause', 'other'), earlierReports, changedFiles, readFiles, errorsAndFigures),
  'Attempted & Abandoned': deadEnds,
  'Current State': all(checkStates, newestRemarks, remarksUnderWay),
  'Open Items': all(planUnderWay, open),
  'Goal Arc': goalArc,
  'Human Direction': all(directions, questions),
  'What Was Achieved': all(done, concluded, earlierReports, checkStates, planUnderWay, open),
  'Lasting Constraints': rules,
  'Key Artifacts': all(readFiles, errorsAndFigures),
  'Completed Work': done,
  'In Progress': all(unanswered, planUnderWay),
  'Next Steps': all(open, lastSaidToBeOpen),
  Constraints: rules,
  'Critical Context': all(asToldInTurns(allSaid, concluded, earlierReports, onceSaidToBeOpen), deadEnds),
};

export function candidatesFor(section: SectionName, account: Account): Candidate[] {
  return producers[section](account, section);
}

/** For running text: the person's words, then the agent's, in the order of the conversation. */
export function runningText(account: Account): Candidate[] {
  return [
    ...goalArc(account, 'Goal Arc'),
    ...rules(account, 'Lasting Constraints'),
    ...directions(account, 'Human Direction'),
    ...remarksOf('goal', 'cause', 'decision', 'given-up', 'report', 'open', 'other')(account, 'Critical Context'),
  ].map((candidate) => ({ ...candidate, line: candidate.line.replace(/^\s*(?:-> then|-) /, '') }));
}
