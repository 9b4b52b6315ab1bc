import type { SectionName } from '../block/sections';

type Guides = Readonly<Partial<Record<SectionName, string>>>;

/** `X` and `Y` are placeholders for the model; the rest is exact (docs/specification.md, `summary.dead-end`). */
const deadEnds = 'each approach that I tried and gave up, as a lesson of my own: "I tried X — abandoned because Y".';

const toolCallBatch: Guides = {
  Strategy: 'one sentence: the approach that I took towards the goal.',
  Operations:
    'one line for each tool call, in order, of the form `**tool_name** | Inputs: <exact values> | Outcome: <success or failure, and the data that matters>`.',
  Discoveries:
    'facts that I confirmed or came upon, with exact values: contents of files, how an API behaves, test results, how the code is built.',
  'Dead Ends': deadEnds,
  'What Worked': 'the approach that succeeded, in enough detail to build on.',
  'Critical Artifacts':
    'exact file paths, function names, error strings, outputs of commands, line numbers and test names, one a line.',
  Status: 'one of COMPLETE | PARTIAL | BLOCKED, then one sentence on where things stand.',
};

const conversation: Guides = {
  Milestones:
    'work that is done: files made or changed, tests that passed, features finished, commands that succeeded.',
  'Key Decisions': 'what I chose and the reason, as "X because Y".',
  Findings: 'what I found out: bugs, constraints, patterns in the code, confirmed behaviour of an API.',
  'Attempted & Abandoned': `${deadEnds} This section saves the most work: leave none out.`,
  'Current State': 'exactly where things stand: in progress, half done, broken.',
  'Open Items': 'questions without an answer, blockers, next steps that are settled.',
};

const goalBatch: Guides = {
  'Goal Arc': 'what I was working on, and how the goal changed from turn to turn where the person redirected it.',
  'Human Direction':
    'the person’s instructions, corrections and constraints in the order they came, as they meant them. These weigh as much as the work itself: lose none.',
  'What Was Achieved': 'concrete results: what is in place now, what passes, what is finished.',
  'Dead Ends': deadEnds,
  'Lasting Constraints': 'whatever from these turns binds later work too.',
  'Key Artifacts': 'exact file paths, function names, error strings and test names.',
};

const checkpoint: Guides = {
  'Completed Work': 'the tasks that are finished, with their results.',
  'Current State': 'which files I changed and what state each is in.',
  'In Progress': 'what I am in the middle of.',
  'Next Steps': 'what to do next, in order, each as a clear action.',
  Constraints: 'the person’s preferences, what the project demands, and the decisions made with their reasons.',
  'Critical Context':
    'whatever else is needed to go on: data, examples, references, and approaches I gave up ("I tried X — abandoned because Y").',
  'Key Artifacts':
    'the absolute path of each relevant file that I read or changed, function names, error strings, test names, one a line.',
};

const byType: Readonly<Partial<Record<string, Guides>>> = {
  tool_call_batch: toolCallBatch,
  conversation,
  goal_batch: goalBatch,
  hierarchical_summary: goalBatch,
  protected_core: goalBatch,
  checkpoint,
  handoff: checkpoint,
};

/** A strategy with sections of these under a type of its own has the guide of the section all the same. */
const anywhere: Guides = { ...checkpoint, ...goalBatch, ...conversation, ...toolCallBatch };

/** What goes into a section of a kind of summary. */
export function sectionGuide(summaryType: string, section: SectionName): string {
  return byType[summaryType]?.[section] ?? anywhere[section] ?? 'whatever belongs under this name.';
}
