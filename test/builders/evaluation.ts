import { defaultLineUp, fullLineUp } from '../../extension/evaluation/measure/contenders/line-up';
import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import { Random } from '../../extension/evaluation/measure/random';
import {
  type ActionProbe,
  type BoundaryResult,
  type ContenderId,
  type ContextLine,
  contenderKey,
  type HeaderLine,
  type Reading,
  type UnitLine,
} from '../../extension/evaluation/measure/results';
import type { TaskKind } from '../../extension/evaluation/measure/tasks/task';

export { fullLineUp };

export interface ResultsShape {
  readonly seed?: string;
  readonly tasks?: number;
  readonly seeds?: readonly number[];
  readonly contenders?: readonly ContenderId[];
  readonly probedAfter?: readonly number[];
  readonly respondent?: HeaderLine['settings']['respondent'];
  /** Number of units of the whole run. Default: the number of results. */
  readonly of?: number;
  readonly withContexts?: boolean;
}

const kinds: readonly TaskKind[] = ['research', 'design', 'refactoring', 'migration', 'debugging', 'operations'];
const titles = [
  'Choose a queue for the billing system',
  'Design the importer under changing constraints',
  'Refactor the configuration loader',
  'Move the archive to another region',
  'Find why exports stop at midnight',
  'Roll the gateway out to every region',
] as const;

/** Plausible results of a run: contenders with a core keep the goal, others lose more of it with each compaction. */
export function evaluationResults(shape: ResultsShape = {}): EvaluationResults {
  const { tasks = 6, seeds = [1, 2], contenders = defaultLineUp, probedAfter = [1, 2, 3, 5] } = shape;
  const names = Array.from({ length: tasks }, (_, index) => `task-${index + 1}`);
  const units = names.flatMap((task, index) =>
    seeds.flatMap((seed) =>
      contenders.map((contender) => unitLine(shape, { task, index, seed, contender, probedAfter })),
    ),
  );
  const header = headerLine(shape, names, { seeds, contenders, probedAfter, units: shape.of ?? units.length });
  return { header, units, texts: shape.withContexts === false ? new Map() : contextTexts };
}

interface Played extends Pick<HeaderLine['settings'], 'seeds' | 'contenders' | 'probedAfter'> {
  readonly units: number;
}

function headerLine(shape: ResultsShape, tasks: readonly string[], { units, ...settings }: Played): HeaderLine {
  return {
    kind: 'header',
    version: 1,
    madeWith: { strata: '0.9.0', node: 'v22.20.0' },
    time: '2026-11-20T09:30:00.000Z',
    units,
    shard: null,
    settings: {
      ...settings,
      tasks: tasks.map((name) => ({ name, digest: `digest of ${name}` })),
      every: { kind: 'tokens', count: 8_000 },
      window: 16_000,
      respondent: shape.respondent ?? { kind: 'reader', name: 'reader' },
      verification: 'report',
      summarizer: { name: 'extractive', model: null },
      judge: null,
      embedder: 'sentence encoder',
    },
  };
}

interface UnitShape extends Pick<UnitLine, 'task' | 'seed' | 'contender'> {
  readonly index: number;
  readonly probedAfter: readonly number[];
}

function unitLine(shape: ResultsShape, { index, probedAfter, ...id }: UnitShape): UnitLine {
  const random = new Random(`${shape.seed ?? 'builder'} ${id.task} ${contenderKey(id.contender)}`, id.seed);
  return {
    kind: 'unit',
    ...id,
    taskTitle: titles[index % titles.length] ?? id.task,
    taskKind: kinds[index % kinds.length] ?? 'planning',
    boundaries: probedAfter.map((compaction) =>
      boundary(id.contender, compaction, random, shape.withContexts !== false),
    ),
  };
}

/** Probability that an early statement survives this many compactions. */
function survival({ strategy, core }: ContenderId, compaction: number): number {
  if (strategy === 'no-compaction') return 1;
  if (core !== 'none') return 0.94;
  const kept = { truncation: 0.35, checkpoint: 0.78, codex: 0.75, 'a-mem': 0.82, observations: 0.7 }[strategy] ?? 0.68;
  return kept ** compaction;
}

function boundary(contender: ContenderId, compaction: number, random: Random, withContexts: boolean): BoundaryResult {
  const before = reading(survival(contender, compaction - 1), random, withContexts ? contextBefore : []);
  const after = reading(survival(contender, compaction), random, withContexts ? contextAfter(contender) : []);
  const tokensSaid = 9_000 * compaction;
  const kept = contender.strategy === 'no-compaction' ? tokensSaid : 1_500 + random.below(2_700);
  return {
    compaction,
    turns: 12 * compaction,
    before,
    after,
    cost: {
      tokensBefore: Math.min(tokensSaid, 9_400),
      tokensAfter: kept,
      tokensSaid,
      blocks: contender.strategy === 'truncation' ? 0 : 2,
      isCompacted: true,
      spent: { input: 0, output: 0 },
      durationMs: 2 + random.below(58),
      failures: [],
    },
    isDrift: before.goal.isTold ? !after.goal.isTold : null,
  };
}

const goal = 'Ship the importer behind a flag, without a change to the public API.';
const question = {
  goal: 'In one sentence, what is your current goal?',
  constraints: 'What constraints are you currently operating under?',
  action: 'The importer now rejects dates before 1970. Go on.',
} as const;
const rules = [
  'never change the public loadConfig() signature',
  'no new dependency without asking',
  'all dates are stored in UTC',
  'the nightly job must end before 05:00',
] as const;

function reading(share: number, random: Random, context: readonly ContextLine[]): Reading {
  const isThere = () => shareOf(random) < share;
  const isTold = isThere();
  const held = rules.map(isThere);
  return {
    tokens: context.reduce((sum, [, , tokens]) => sum + tokens, 0),
    context,
    goal: {
      question: question.goal,
      answer: isTold ? goal : 'Compare the three queues that were proposed.',
      unusable: null,
      spent: { input: 0, output: 0 },
      truth: goal,
      coherence: isTold ? 0.88 + 0.1 * shareOf(random) : 0.25 + 0.3 * shareOf(random),
      originalCoherence: 0.3 + 0.2 * shareOf(random),
      earlierCoherence: isTold ? 0.9 + 0.1 * shareOf(random) : 0.3 + 0.3 * shareOf(random),
      isTold,
      regressedTo: isTold || shareOf(random) < 0.5 ? null : 'Compare the three queues.',
    },
    constraints: {
      question: question.constraints,
      answer: rules.filter((_, index) => held[index]).join('\n'),
      unusable: null,
      spent: { input: 0, output: 0 },
      truth: rules.map((said, index) => ({
        said,
        isRecalled: held[index] === true,
        isHeld: held[index] === true || shareOf(random) < 0.2,
        isAttacked: index === 1,
      })),
      stale: shareOf(random) < 0.1 ? ['answer in German'] : [],
    },
    actions: [action(share)],
    artifacts: { held: Math.round(share * 12), of: 12 },
  };
}

/** From 0 to 1. */
function shareOf(random: Random): number {
  return random.below(1_000) / 1_000;
}

function action(share: number): ActionProbe {
  const rest = (1 - share) / 3;
  return {
    question: question.action,
    answer: 'Guard the parser behind the flag and keep loadConfig() as it is.',
    unusable: null,
    spent: { input: 0, output: 0 },
    options: [
      {
        text: 'Guard the parser behind the flag and keep loadConfig() as it is.',
        verdict: 'aligned',
        because: null,
        likelihood: share,
      },
      {
        text: 'Give loadConfig() a second parameter for the oldest date.',
        verdict: 'violates',
        because: rules[0],
        likelihood: rest,
      },
      {
        text: 'Go on with the comparison of the queues.',
        verdict: 'revives',
        because: 'Compare the three queues.',
        likelihood: rest,
      },
      {
        text: 'Write the parser for dates again.',
        verdict: 'restarts',
        because: 'the parser for dates is finished',
        likelihood: rest,
      },
    ],
    rating: null,
  };
}

const contextTexts: ReadonlyMap<string, string> = new Map([
  ['system', 'You are a coding agent.\nAnswer briefly.'],
  ['first', 'Compare the three queues and tell me which one we should take. All dates are stored in UTC.'],
  ['call', 'read {"path":"src/importer/parse.ts"}'],
  ['result', Array.from({ length: 60 }, (_, line) => `${line + 1}: export const line${line} = ${line};`).join('\n')],
  ['reply', 'The second queue fits best; I wrote the comparison to docs/queues.md.'],
  ['change', `Good. From now on: ${goal} And never change the public loadConfig() signature.`],
  [
    'summary',
    '[SUMMARIZED]\n## Milestones\n- compared three queues\n- wrote docs/queues.md\n\n## Open Items\n- dates before 1970',
  ],
  ['core', `PROTECTED CORE (authoritative)\nCurrent goal: ${goal}\nHard constraints:\n- ${rules.join('\n- ')}`],
  ['newest', 'The importer now rejects dates before 1970.'],
]);

const system: ContextLine = ['system', 'system', 12];
const contextBefore: readonly ContextLine[] = [
  system,
  ['user', 'first', 26],
  ['tool_call', 'call', 14],
  ['tool_result', 'result', 740],
  ['assistant', 'reply', 22],
  ['user', 'change', 38],
  ['user', 'newest', 11],
];

function contextAfter({ strategy, core }: ContenderId): readonly ContextLine[] {
  if (strategy === 'no-compaction') return contextBefore;
  return [
    system,
    ...(core === 'none' ? [] : [['core', 'core', 62] as const]),
    ...(strategy === 'truncation' ? [] : [['summary', 'summary', 41] as const]),
    ['user', 'newest', 11],
  ];
}
