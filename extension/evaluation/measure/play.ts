import { type Answer, nothingSpent } from '../../engine/asking/ask-model';
import { questions } from '../../engine/asking/questions';
import { type Embedder, ModelFailed } from '../../engine/block/language-model';
import type { Context, ContextMessage } from '../../engine/conversation/context';
import { readableText } from '../../engine/conversation/entry';
import { portableSha256 } from '../../engine/conversation/sha256';
import { cosine, unitVector } from '../../engine/memory/vectors';
import type { Contender } from './contenders/contender';
import { contenderOf } from './contenders/line-up';
import type { ContenderTools } from './contenders/strategy-contender';
import { answerText, gradeAction, gradeConstraints, gradeGoal, gradeRecall, textOfContext } from './grading';
import type { Judge } from './probes/judge';
import { type RecallName, recallProbes } from './probes/recall-probes';
import type { ActionAnswer, PointAnswers, Respondent } from './probes/respondent';
import { Random } from './random';
import type {
  ActionProbe,
  BoundaryResult,
  CompactionCost,
  ConstraintProbe,
  ContextLine,
  EvaluationSettings,
  GoalProbe,
  OptionResult,
  Reading,
  RecallResult,
  UnitId,
  UnitLine,
} from './results';
import { conversationOf, type Script, scriptOf } from './tasks/script';
import type { Task, TaskAction } from './tasks/task';
import { type Truth, TruthOverTime } from './tasks/truth';
import { type TaskVariation, variationOf } from './tasks/variation';

export interface PlayTools extends ContenderTools {
  readonly respondent: Respondent;
  /** Null for no ratings. */
  readonly judge: Judge | null;
  readonly embedder: Embedder;
  /** Makes the contender of a unit. Default: the registered strategy or baseline of its name. */
  readonly contenderOf?: typeof contenderOf;
}

export type PlaySettings = Pick<EvaluationSettings, 'every' | 'probedAfter' | 'asksBefore' | 'actionsAsked'>;

export interface PlayedUnit {
  readonly line: UnitLine;
  /** Texts of the contexts' messages, by key. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Number of actions asked about at each boundary, unless the settings say otherwise. */
const usualActions = 2;

/**
 * Plays one task with one contender from the first turn to the last. All contenders compact at the same turns, because
 * the schedule counts what was said and not what is left of it. Rejects with `ModelFailed` or the signal's reason.
 */
export async function playUnit(
  unit: UnitId,
  task: Task,
  settings: PlaySettings,
  tools: PlayTools,
  signal: AbortSignal,
): Promise<PlayedUnit> {
  const variation = variationOf(task, unit.seed);
  const play = new Play(variation, (tools.contenderOf ?? contenderOf)(unit.contender, tools), tools, signal);
  const boundaries = await play.boundaries(settings);
  const { title: taskTitle, kind: taskKind } = variation;
  return { line: { kind: 'unit', ...unit, taskTitle, taskKind, boundaries }, texts: play.texts };
}

class Play {
  readonly texts = new Map<string, string>();
  readonly #script: Script;
  readonly #truth: TruthOverTime;

  constructor(
    readonly variation: TaskVariation,
    readonly contender: Contender,
    readonly tools: PlayTools,
    readonly signal: AbortSignal,
  ) {
    this.#script = scriptOf(variation);
    this.#truth = new TruthOverTime(variation);
  }

  async boundaries({
    every,
    probedAfter,
    asksBefore = 'each',
    actionsAsked = usualActions,
  }: PlaySettings): Promise<BoundaryResult[]> {
    const last = Math.max(...probedAfter);
    const results: BoundaryResult[] = [];
    let compaction = 0;
    let since = 0;
    for (const [index, turn] of this.#script.turns.entries()) {
      const { entries } = conversationOf(this.#script, index + 1);
      this.contender.keepCore({ turn, entries, changes: this.#truth.changesIn(index) });
      since += every.kind === 'turns' ? 1 : this.tools.ledger.ofEntries(turn.entries);
      if (since < every.count) continue;
      since = 0;
      compaction += 1;
      const known = asksBefore === 'first' ? (results.at(-1)?.after ?? null) : null;
      const actions = probedAfter.includes(compaction) ? actionsAsked : null;
      const result = await this.#cross(compaction, index + 1, actions, known);
      if (result) results.push(result);
      if (compaction === last) break;
    }
    return results;
  }

  /**
   * Compacts. Probes before and after it if `actions`, the number of actions to ask about, is not null. `known`: a reading to use in place
   * of the one before the compaction.
   */
  async #cross(
    compaction: number,
    turns: number,
    actions: number | null,
    known: Reading | null,
  ): Promise<BoundaryResult | null> {
    this.signal.throwIfAborted();
    const conversation = conversationOf(this.#script, turns);
    const truth = this.#truth.after(turns);
    const asked = this.#askedAt(compaction, truth, actions ?? 0);
    const contextBefore = this.contender.contextOf(conversation);
    const before = actions !== null ? (known ?? (await this.#read(contextBefore, truth, asked, null))) : null;
    const effort = await this.contender.compact(conversation, this.signal);
    const [failure] = effort.failures;
    if (failure !== undefined) throw new ModelFailed('unavailable', failure);
    if (!before) return null;
    const contextAfter = this.contender.contextOf(conversation);
    const after = await this.#read(contextAfter, truth, asked, before.goal);
    const cost: CompactionCost = {
      ...effort,
      tokensBefore: contextBefore.tokens.total,
      tokensAfter: contextAfter.tokens.total,
      tokensSaid: this.tools.ledger.ofEntries(conversation.entries),
    };
    const isDrift = before.goal.isTold && after.goal.unusable === null ? !after.goal.isTold : null;
    return { compaction, turns, before, after, cost, isDrift };
  }

  /** Actions to ask about: the same for all contenders, before and after the compaction. */
  #askedAt(compaction: number, { actions }: Truth, count: number): TaskAction[] {
    const random = new Random(`actions of ${this.variation.name} after ${compaction}`, this.variation.seed);
    return random
      .shuffled(actions)
      .slice(0, count)
      .map((action) => ({ ...action, options: random.shuffled(action.options) }));
  }

  /** `earlier`: the answer before the compaction. */
  async #read(
    { messages, tokens }: Context,
    truth: Truth,
    asked: readonly TaskAction[],
    earlier: GoalProbe | null,
  ): Promise<Reading> {
    const text = textOfContext(messages);
    const answers = await this.tools.respondent.answer(
      messages,
      asked.map(({ request, options }) => ({ request, options: options.map((option) => option.text) })),
      this.signal,
    );
    const goal = await this.#gradedGoal(answers.goal, truth, earlier);
    const actions: ActionProbe[] = [];
    for (const [index, action] of asked.entries())
      actions.push(await this.#gradedAction(action, answers.actions[index] ?? notAnswered, goal.answer, truth));
    const held = truth.artifacts.filter((artifact) => text.includes(artifact)).length;
    return {
      tokens: tokens.total,
      context: messages.map((message) => this.#lineOf(message)),
      goal,
      constraints: gradedConstraints(answers.constraints, text, truth),
      ...gradedRecalls(answers.recalled, truth),
      ...(answers.next ? { next: answers.next.text } : {}),
      actions,
      artifacts: { held, of: truth.artifacts.length },
    };
  }

  #lineOf({ kind, parts, tokens }: ContextMessage): ContextLine {
    const text = parts.map(readableText).join('\n');
    const key = portableSha256(text).slice(0, 12);
    this.texts.set(key, text);
    return [kind, key, tokens];
  }

  async #gradedGoal(answer: PointAnswers['goal'], truth: Truth, earlier: GoalProbe | null): Promise<GoalProbe> {
    const said = answer.kind === 'given' ? answer.value : '';
    return {
      question: questions.goal.text,
      ...answerText(answer),
      spent: answer.spent,
      truth: truth.goal.text,
      ...(await this.#coherence(said, truth, earlier)),
      ...gradeGoal(said, truth),
    };
  }

  /** Goals of the truth count as the person said them or as the task paraphrases them. */
  async #coherence(answer: string, truth: Truth, earlier: GoalProbe | null): Promise<Coherence> {
    const wordings = ({ said, text }: Truth['goal']) => [said, text];
    const earlierLines = earlier?.unusable === null ? linesOf(earlier.answer) : [];
    return {
      coherence: await this.#similarity(answer, wordings(truth.goal)),
      originalCoherence: await this.#similarity(answer, wordings(truth.originalGoal)),
      ...(earlierLines.length === 0 ? {} : { earlierCoherence: await this.#similarity(answer, earlierLines) }),
    };
  }

  /** Cosine of the two most similar lines. 0 for no answer. */
  async #similarity(answer: string, goal: readonly string[]): Promise<number> {
    const lines = linesOf(answer);
    if (lines.length === 0) return 0;
    const vectors = (await this.tools.embedder.embed([...goal, ...lines], this.signal)).map(unitVector);
    const goals = vectors.slice(0, goal.length);
    const cosines = vectors.slice(goal.length).flatMap((line) => goals.map((wording) => cosine(line, wording)));
    return Math.min(1, Math.max(0, ...cosines));
  }

  async #gradedAction(
    { request, options: shown }: TaskAction,
    answer: Answer<ActionAnswer>,
    goalAnswer: string,
    truth: Truth,
  ): Promise<ActionProbe> {
    const options = shown.map(({ text }) => text);
    const graded = answer.kind === 'given' ? gradeAction(shown, answer.value, goalAnswer, truth) : notTaken(shown);
    const rating = await this.#rate(request, answer, options, truth);
    return {
      question: request,
      ...answerText(answer),
      spent: plus(answer.spent, rating.spent),
      options: graded,
      rating: rating.value,
    };
  }

  async #rate(request: string, answer: Answer<ActionAnswer>, options: readonly string[], truth: Truth) {
    const { judge } = this.tools;
    if (!judge || answer.kind !== 'given' || answer.value.kind !== 'chosen')
      return { value: null, spent: nothingSpent };
    const proposal = `${options[answer.value.option] ?? ''}\n${answer.value.how}`;
    return await judge.rate(
      { request, proposal, goal: truth.goal.said, constraints: truth.constraints.map(({ said }) => said) },
      this.signal,
    );
  }
}

const notAnswered: Answer<never> = {
  kind: 'unusable',
  reason: 'the answer is missing',
  text: '',
  spent: nothingSpent,
};

function gradedConstraints(answer: PointAnswers['constraints'], text: string, truth: Truth): ConstraintProbe {
  const said = answer.kind === 'given' ? answer.value.join('\n') : '';
  const grade = gradeConstraints(said, text, truth);
  return { question: questions.constraints.text, ...answerText(answer), spent: answer.spent, ...grade };
}

type RecallResults = { readonly [N in RecallName]?: RecallResult };

function gradedRecalls(answers: PointAnswers['recalled'], truth: Truth): RecallResults {
  if (answers === null) return {};
  const graded = recallProbes.map((probe, index) => {
    const answer = answers[index] ?? notAnswered;
    const said = answer.kind === 'given' ? answer.value.join('\n') : '';
    const items = probe.truth.flatMap((list) => truth[list]);
    return [probe.name, { ...answerText(answer), truth: gradeRecall(said, items) }];
  });
  return Object.fromEntries(graded);
}

type Coherence = Pick<GoalProbe, 'coherence' | 'originalCoherence' | 'earlierCoherence'>;

function linesOf(answer: string): string[] {
  return answer.split('\n').filter((line) => line.trim() !== '');
}

function plus(one: GoalProbe['spent'], other: GoalProbe['spent']): GoalProbe['spent'] {
  return { input: one.input + other.input, output: one.output + other.output };
}

function notTaken(options: TaskAction['options']): OptionResult[] {
  return options.map(({ text, verdict }) => ({ text, verdict, because: null, likelihood: 0 }));
}
