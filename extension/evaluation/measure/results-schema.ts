import * as v from 'valibot';
import { verificationModes } from '../../engine/compaction/verify';
import { contextKinds } from '../../engine/conversation/context';
import { LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { coreKeepers, type ResultLine } from './results';
import { taskKinds, verdicts } from './tasks/task';

/** Results files are shared between people, so their content is validated before use. */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const spent = v.object({ input: amount, output: amount });
/** For contenders and tasks, which occur in tables and file names. */
const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/, 'this is not a name'));
const contender = v.object({ strategy: name, core: v.picklist(coreKeepers) });

const settings = v.object({
  tasks: v.array(v.object({ name, digest: v.string() })),
  seeds: v.array(v.pipe(v.number(), v.integer())),
  contenders: v.array(contender),
  probedAfter: v.pipe(v.array(count), v.nonEmpty()),
  asksBefore: v.optional(v.picklist(['each', 'first'])),
  actionsAsked: v.optional(count),
  every: v.object({ kind: v.picklist(['tokens', 'turns']), count }),
  window: count,
  target: v.optional(count),
  respondent: v.object({ kind: v.picklist(['reader', 'model']), name: v.string() }),
  verification: v.picklist(verificationModes),
  summarizer: v.object({ name: v.string(), model: v.nullable(v.string()) }),
  judge: v.nullable(v.string()),
  embedder: v.string(),
});

const header = v.object({
  kind: v.literal('header'),
  version: count,
  madeWith: v.object({ strata: v.string(), node: v.string() }),
  time: v.string(),
  settings,
  units: count,
  shard: v.nullable(v.object({ index: count, of: count })),
});

const probe = { question: v.string(), answer: v.string(), unusable: v.nullable(v.string()), spent };

const reading = v.object({
  tokens: amount,
  context: v.array(v.tuple([v.picklist(contextKinds), v.string(), amount])),
  goal: v.object({
    ...probe,
    truth: v.string(),
    coherence: share,
    originalCoherence: v.optional(share),
    earlierCoherence: v.optional(share),
    isTold: v.boolean(),
    regressedTo: v.nullable(v.string()),
  }),
  constraints: v.object({
    ...probe,
    truth: v.array(
      v.object({ said: v.string(), isRecalled: v.boolean(), isHeld: v.boolean(), isAttacked: v.boolean() }),
    ),
    stale: v.array(v.string()),
  }),
  settled: v.optional(
    v.object({
      answer: v.string(),
      unusable: v.nullable(v.string()),
      truth: v.array(v.object({ text: v.string(), isRecalled: v.boolean() })),
    }),
  ),
  next: v.optional(v.string()),
  actions: v.array(
    v.object({
      ...probe,
      options: v.array(
        v.object({
          text: v.string(),
          verdict: v.picklist(verdicts),
          because: v.nullable(v.string()),
          likelihood: share,
        }),
      ),
      rating: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
    }),
  ),
  artifacts: v.pipe(
    v.object({ held: count, of: count }),
    v.check(({ held, of }) => held <= of, 'more is held than there is'),
  ),
});

const boundary = v.object({
  compaction: count,
  turns: count,
  before: reading,
  after: reading,
  cost: v.object({
    tokensBefore: amount,
    tokensAfter: amount,
    tokensSaid: v.pipe(amount, v.minValue(1)),
    blocks: count,
    isCompacted: v.boolean(),
    spent,
    durationMs: amount,
    failures: v.array(v.string()),
  }),
  isDrift: v.nullable(v.boolean()),
});

const unit = v.object({
  kind: v.literal('unit'),
  task: name,
  seed: v.number(),
  contender,
  taskTitle: v.string(),
  taskKind: v.picklist(taskKinds),
  boundaries: v.array(boundary),
});

const texts = v.object({ kind: v.literal('texts'), texts: v.record(v.string(), v.string()) });

const line = v.variant('kind', [header, texts, unit]);

type ReadLine =
  | { readonly kind: 'line'; readonly line: ResultLine }
  | { readonly kind: 'damaged'; readonly reason: LocalizableText };

/** One line of a results file, without its line break. Never throws. */
export function readResultLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports this with the line number.
    return { kind: 'damaged', reason: localizable('it is not JSON') };
  }
  const parsed = v.safeParse(line, value);
  if (parsed.success) return { kind: 'line', line: parsed.output };
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue);
  return {
    kind: 'damaged',
    reason: path === null ? new LocalizableText(issue.message) : localizable('at {0}: {1}', path, issue.message),
  };
}
