import * as v from 'valibot';

/** Names occur in file names and tables. */
const name = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a name may contain lower-case letters, digits and dashes only'),
);
const text = v.pipe(v.string(), v.trim(), v.nonEmpty('this text is empty'));

/**
 * How to recognize that a text states something: one place of the text (a line, or two consecutive sentences) contains
 * an alternative of every group. Matches whole words and ignores case.
 */
const signs = v.pipe(
  v.array(v.pipe(v.array(text), v.nonEmpty('a group of signs has no alternatives'))),
  v.nonEmpty('there are no signs to recognize this by'),
);

export const fillerKinds = ['log', 'listing', 'code', 'table', 'prose'] as const;

/** A tool call with its result. */
const work = v.strictObject({
  /** The agent's text before its calls. */
  say: v.optional(text),
  tool: text,
  input: v.record(v.string(), v.unknown()),
  result: v.string(),
  /** Lines of realistic but meaningless output after the result. */
  fill: v.optional(
    v.strictObject({
      kind: v.picklist(fillerKinds),
      lines: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_000)),
    }),
  ),
  failed: v.optional(v.boolean()),
});

const turn = v.strictObject({
  /** Required if the ground truth or an action refers to the turn. */
  id: v.optional(name),
  user: text,
  work: v.optional(v.array(work), []),
  reply: text,
});

/** Number of turns drawn here from the task's distractors, without replacement. */
const distractorSlot = v.strictObject({ distractors: v.pipe(v.number(), v.integer(), v.minValue(1)) });

/** Something that the person says verbatim in a turn and that holds from there on. */
const stated = {
  id: name,
  /** Occurs verbatim in what the person says in the turn `from`. */
  said: text,
  from: name,
  /** The turn that withdraws or replaces it. Absent: it holds to the end. */
  until: v.optional(name),
  signs,
};

/** Something that is settled from the turn `from` on. */
const settled = { id: name, text, from: name, signs };

/** The lists of what is settled: finished work, and what was tried and abandoned. */
export const settledLists = ['finished', 'deadEnds'] as const;

export const verdicts = ['aligned', 'violates', 'revives', 'restarts', 'repeats'] as const;

const option = v.strictObject({
  /** Describes the action in one or two sentences. */
  text,
  /** `revives` a former goal, `restarts` finished work, `repeats` a dead end. */
  verdict: v.picklist(verdicts),
  /** Id of the constraint, goal, finished work or dead end that rules it out; absent for the aligned option. */
  of: v.optional(name),
});

/** A possible next request to the agent, with options for how to act. Exactly one is right. */
const action = v.strictObject({
  id: name,
  /** It can be asked after the turn `from` and before the turn `until`. */
  from: name,
  until: v.optional(name),
  request: text,
  options: v.pipe(v.array(option), v.minLength(3, 'an action needs at least three options')),
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

/** The shape of a task file; docs/evaluation.md explains how to write one. */
export const taskSchema = v.strictObject({
  name,
  title: text,
  kind: v.picklist(taskKinds),
  /** `{name}` in any text is replaced by one of these values, drawn by the seed. */
  variables: v.record(v.string(), v.pipe(v.array(text), v.nonEmpty('a variable has no values'))),
  system: text,
  turns: v.pipe(v.array(v.union([turn, distractorSlot])), v.nonEmpty('the task has no turns')),
  distractors: v.array(turn),
  /** In order. Exactly one holds at any time, the first from the first turn on. */
  goals: v.pipe(v.array(v.strictObject({ ...stated, text })), v.nonEmpty('the task has no goal')),
  constraints: v.pipe(v.array(v.strictObject(stated)), v.nonEmpty('the task has no constraint')),
  finished: v.array(v.strictObject(settled)),
  deadEnds: v.array(v.strictObject(settled)),
  /** Names that later work needs, from the turn that first mentions them. */
  artifacts: v.array(v.strictObject({ text, from: name })),
  /** Content of a turn, mostly a tool result, that tries to make a summarizer drop a rule. */
  hostile: v.array(v.strictObject({ turn: name, against: name, said: text })),
  actions: v.pipe(v.array(action), v.nonEmpty('the task asks for no action')),
});

export type Task = v.InferOutput<typeof taskSchema>;
export type SettledList = (typeof settledLists)[number];
export type SettledTruth = Task[SettledList][number];
export type TaskTurn = v.InferOutput<typeof turn>;
export type TaskWork = v.InferOutput<typeof work>;
export type TaskAction = v.InferOutput<typeof action>;
export type ActionOption = v.InferOutput<typeof option>;
export type Verdict = (typeof verdicts)[number];
export type TaskKind = (typeof taskKinds)[number];
export type FillerKind = (typeof fillerKinds)[number];
/** Groups of alternatives. */
export type Signs = readonly (readonly string[])[];
export type StatedTruth = Pick<Task['constraints'][number], 'id' | 'said' | 'from' | 'signs'> & {
  readonly until?: string | undefined;
};
