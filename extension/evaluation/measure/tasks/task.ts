import * as v from 'valibot';

/** Letters, digits and dashes: names go into file names and tables. */
const name = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a name has lower-case letters, digits and dashes'),
);
const text = v.pipe(v.string(), v.trim(), v.nonEmpty('nothing is said here'));

/**
 * What tells that a text says something: every group has to be met by one of its alternatives, all in one place of the
 * text (a line, or two sentences that follow each other). Letter case does not count, whole words do.
 */
const signs = v.pipe(
  v.array(v.pipe(v.array(text), v.nonEmpty('a group of signs has no alternatives'))),
  v.nonEmpty('nothing would tell that this is said'),
);

export const fillerKinds = ['log', 'listing', 'code', 'table', 'prose'] as const;

/** A tool call with its result. */
const work = v.strictObject({
  /** What the agent says before it calls. */
  say: v.optional(text),
  tool: text,
  input: v.record(v.string(), v.unknown()),
  result: v.string(),
  /** Lines of plausible output that mean nothing, after the result: what real tools return beside what matters. */
  fill: v.optional(
    v.strictObject({
      kind: v.picklist(fillerKinds),
      lines: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_000)),
    }),
  ),
  failed: v.optional(v.boolean()),
});

const turn = v.strictObject({
  /** Needed where the truth or an action refers to it. */
  id: v.optional(name),
  user: text,
  work: v.optional(v.array(work), []),
  reply: text,
});

/** So many turns are drawn here from the task's distractors, without putting them back. */
const distractorSlot = v.strictObject({ distractors: v.pipe(v.number(), v.integer(), v.minValue(1)) });

/** Something that a turn of the person says, in these very words, and that holds from there on. */
const stated = {
  id: name,
  /** Stands word for word in what the person says in `from`. */
  said: text,
  from: name,
  /** The turn that took it back or put something else in its place. Absent: it holds to the end. */
  until: v.optional(name),
  signs,
};

/** The work is finished, or was tried in vain, in this turn. */
const settled = { id: name, text, from: name, signs };

export const verdicts = ['aligned', 'violates', 'revives', 'restarts', 'repeats'] as const;

const option = v.strictObject({
  /** What the agent would do, in a sentence or two. */
  text,
  /** `revives` a goal that no longer holds, `restarts` what is finished, `repeats` a dead end. */
  verdict: v.picklist(verdicts),
  /** The constraint, goal, finished work or dead end that rules it out; absent for the aligned one. */
  of: v.optional(name),
});

/** What may be asked of the agent next, with possible ways to go about it. Exactly one of them is right. */
const action = v.strictObject({
  id: name,
  /** It can be asked after this turn, and until that one. */
  from: name,
  until: v.optional(name),
  request: text,
  options: v.pipe(v.array(option), v.minLength(3, 'an action has three options or more')),
});

export const taskKinds = [
  'research',
  'design',
  'refactoring',
  'migration',
  'debugging',
  'operations',
  'data',
  'writing',
  'planning',
] as const;

/** The shape of a task file; docs/evaluation.md tells how to write one. */
export const taskSchema = v.strictObject({
  name,
  title: text,
  kind: v.picklist(taskKinds),
  /** `{name}` in any text stands for one of these, drawn by the seed. */
  variables: v.record(v.string(), v.pipe(v.array(text), v.nonEmpty('a variable has no values'))),
  system: text,
  turns: v.pipe(v.array(v.union([turn, distractorSlot])), v.nonEmpty('the task has no turns')),
  distractors: v.array(turn),
  /** In their order; exactly one holds at any time, the first one from the first turn on. */
  goals: v.pipe(v.array(v.strictObject({ ...stated, text })), v.nonEmpty('the task has no goal')),
  constraints: v.pipe(v.array(v.strictObject(stated)), v.nonEmpty('the task has no constraint')),
  finished: v.array(v.strictObject(settled)),
  deadEnds: v.array(v.strictObject(settled)),
  /** Names of things that later work needs, from the turn that brings them up. */
  artifacts: v.array(v.strictObject({ text, from: name })),
  /** Content in a turn (mostly what a tool returns) that tries to make a summarizer drop a rule. */
  hostile: v.array(v.strictObject({ turn: name, against: name, said: text })),
  actions: v.pipe(v.array(action), v.nonEmpty('the task asks for no action')),
});

export type Task = v.InferOutput<typeof taskSchema>;
export type TaskTurn = v.InferOutput<typeof turn>;
export type TaskWork = v.InferOutput<typeof work>;
export type TaskAction = v.InferOutput<typeof action>;
export type ActionOption = v.InferOutput<typeof option>;
export type Verdict = (typeof verdicts)[number];
export type TaskKind = (typeof taskKinds)[number];
export type FillerKind = (typeof fillerKinds)[number];
/** Groups of alternatives. */
export type Signs = readonly (readonly string[])[];
/** A goal or a constraint of a task. */
export type StatedTruth = Pick<Task['constraints'][number], 'id' | 'said' | 'from' | 'signs'> & {
  readonly until?: string | undefined;
};
