import type { SectionName } from '../block/sections';

type Guides = Readonly<Partial<Record<SectionName, string>>>;

/** `X` and `Y` are placeholders for the model; the rest is exact (docs/specification.md, `summary.dead-end`). */
const deadEnds = 'each approach that I tried and abandoned, as a lesson of my own: "I tried X — abandoned because Y".';

const toolCallBatch: Guides = {
  Strategy: 'one sentence: the approach that I took towards the goal.',
  Operations:
    'one line for each tool call, in order, of the form `**tool_name** | Inputs: <exact values> | Outcome: <success or failure, and the data that matters>`.',
  Discoveries:
    'facts that I confirmed or found, with exact values: contents of files, behaviour of APIs, test results, structure of the code.',
  'Dead Ends': deadEnds,
  'What Worked': 'the approach that succeeded, in enough detail to build on.',
  'Critical Artifacts':
    'exact file paths, function names, error strings, outputs of commands, line numbers and test names, one a line.',
  Status: 'one of COMPLETE | PARTIAL | BLOCKED, then one sentence on the current state.',
};

const conversation: Guides = {
  Milestones: 'finished work: files created or changed, tests that passed, features finished, commands that succeeded.',
  'Key Decisions': 'what I chose and the reason, as "X because Y".',
  Findings: 'what I found out: bugs, constraints, patterns in the code, confirmed behaviour of an API.',
  'Attempted & Abandoned': `${deadEnds} This section saves the most work: leave none out.`,
  'Current State': 'the exact state of the work: what is in progress, half done or broken.',
  'Open Items': 'open questions, blockers, settled next steps.',
};

const goalBatch: Guides = {
  'Goal Arc': 'what I was working on, and how the goal changed when the person redirected it.',
  'Human Direction':
    'the person’s instructions, corrections and constraints, in order and as they were meant. They matter as much as the work itself: leave none out.',
  'What Was Achieved': 'concrete results: what exists now, what passes, what is finished.',
  'Dead Ends': deadEnds,
  'Lasting Constraints': 'everything from these turns that also binds later work.',
  'Key Artifacts': 'exact file paths, function names, error strings and test names.',
};

const checkpoint: Guides = {
  'Completed Work': 'the tasks that are finished, with their results.',
  'Current State': 'which files I changed, and the state of each.',
  'In Progress': 'what I am working on at the moment.',
  'Next Steps': 'the next actions, in order, each clear.',
  Constraints: 'the person’s preferences, the project’s requirements, and decisions with their reasons.',
  'Critical Context':
    'everything else that is needed to continue: data, examples, references, and abandoned approaches ("I tried X — abandoned because Y").',
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

/** For a section that the type's own guides lack. */
const defaultGuides: Guides = { ...checkpoint, ...goalBatch, ...conversation, ...toolCallBatch };

/** Describes the content of a section for a type of summary. */
export function sectionGuide(summaryType: string, section: SectionName): string {
  return byType[summaryType]?.[section] ?? defaultGuides[section] ?? 'everything that belongs under this heading.';
}
