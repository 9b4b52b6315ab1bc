import type { SectionName, TypeWithSections } from '../block/sections';

type Guides = Readonly<Partial<Record<SectionName, string>>>;

/** `X` and `Y` are placeholders for the model; the rest is exact (docs/specification.md, `summary.dead-end`). */
const deadEnds = 'each approach that I tried and abandoned, as a lesson of my own: "I tried X — abandoned because Y".';

/** Settled decisions are marked, because agents plan again what they find unmarked. */
const decisions =
  'what is decided, one a line, as "Settled: X because Y". It is not planned or asked again. What was only considered is no decision.';

/** A name without its content sends the agent back to read it again. */
const contents =
  'each with its place and its content, so that I need not read it again: `path:line` and the signature, value, line or error itself; the answer of a command; the behaviour of an API.';

/** The state of the work, from the newest step of the record backwards. */
const newestRequest =
  'the person’s newest request, word for word in quotation marks, shortened only if it is longer than a few lines; then exactly where the work on it stands: which parts of it are done, what the last step was and what came of it, what is half done or broken, and where my work departs from what the person asked or forbade: "Against “…”: …". If it is finished, say so and leave it at that.';

const nextAction =
  'first the next concrete action, as exact as I would carry it out now: file, place, change or command. Then what follows it, in order. Where a list of places is being worked through, every place that is left, with its line. Only what the person asked for or agreed to. After that, each question that was asked and not answered yet, by the person or by me: "Asked, not answered: …". If nothing is left to do, say that.';

const toolCallBatch: Guides = {
  Strategy: 'one sentence: the approach that I took towards the goal.',
  Operations:
    'one line for each tool call, in order, of the form `**tool_name** | Inputs: <exact values> | Outcome: <success or failure, and the data that matters>`.',
  Discoveries: `facts that I confirmed or found, ${contents}`,
  'Dead Ends': deadEnds,
  'What Worked': 'the approach that succeeded, in enough detail to build on.',
  'Critical Artifacts':
    'exact file paths, function names, error strings, outputs of commands, line numbers and test names, one a line. None that stands above already.',
  Status:
    'one of COMPLETE | PARTIAL | BLOCKED, then one sentence: what of the goal is reached after the last operation, and the next concrete action if one is left.',
};

const conversation: Guides = {
  Milestones:
    'what is finished, one a line, with the result and how it was checked: files created or changed, tests that passed, commands that succeeded. Nobody begins it again.',
  'Key Decisions': decisions,
  Findings: `what I found out, ${contents}`,
  'Attempted & Abandoned': `${deadEnds} This section saves the most work: leave none out.`,
  'Current State': newestRequest,
  'Open Items': nextAction,
};

const goalBatch: Guides = {
  'Goal Arc': 'what I was working on, and how the goal changed when the person redirected it.',
  'Human Direction':
    'the person’s instructions, corrections and constraints, in order and in their own words. They matter as much as the work itself: leave none out. Say of each whether it is done, still holds, or was taken back.',
  'What Was Achieved':
    'concrete results, one a line: what exists now, what passes, what is finished and not to be begun again.',
  'Dead Ends': deadEnds,
  'Lasting Constraints':
    'everything from these turns that also binds later work: rules and preferences of the person in their own words, and what is decided, as "Settled: X because Y".',
  'Key Artifacts': `what later work can need, ${contents}`,
};

const checkpoint: Guides = {
  'Completed Work':
    'the tasks that are finished, one a line, each with its result and how it was checked, so that none is begun again.',
  Constraints: `the person’s rules, preferences and corrections that still hold, in their own words; the project’s requirements; and ${decisions}`,
  'Critical Context': `what I learned that the next steps need, ${contents} Then the abandoned approaches: "I tried X — abandoned because Y".`,
  'Key Artifacts':
    'the absolute path of each relevant file with what it is for, and test names and commands that are still used, one a line. None that stands above already.',
  'Current State':
    'which files I changed and the state of each: works, half done, broken, not committed; the checks that ran last, with their outcome.',
  'In Progress': newestRequest,
  'Next Steps': nextAction,
};

/** A type with sections does not compile without its guides. */
const byType: Readonly<Record<TypeWithSections | 'hierarchical_summary' | 'protected_core', Guides>> = {
  tool_call_batch: toolCallBatch,
  conversation,
  goal_batch: goalBatch,
  hierarchical_summary: goalBatch,
  protected_core: goalBatch,
  checkpoint,
  handoff: checkpoint,
};

/** For a section that the type's own guides lack. */
const defaultGuides: Guides = { ...checkpoint, ...goalBatch, ...conversation, ...toolCallBatch };

export function sectionGuide(summaryType: string, section: SectionName): string {
  const known: Readonly<Partial<Record<string, Guides>>> = byType;
  return known[summaryType]?.[section] ?? defaultGuides[section] ?? 'everything that belongs under this heading.';
}
