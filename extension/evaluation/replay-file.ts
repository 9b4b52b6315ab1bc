import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { localizable } from '../engine/wording/localizable-text';
import { ResultsUnusable } from './measure/evaluation-results';
import type { ReplayReport } from './measure/replay';

/** Report files are shared between people, so their content is validated before use. */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.minValue(0));
const texts = v.array(v.string());
const kind = v.picklist(['agent', 'simulated']);
const measure = v.picklist(['names', 'messages']);
const estimate = v.object({ mean: v.number(), low: v.number(), high: v.number(), count, tasks: count });

const way = v.object({
  way: v.string(),
  text: v.string(),
  tokens: amount,
  isWithinBudget: v.boolean(),
  namesHeld: texts,
  messagesHeld: texts,
});

const repeats = v.object({ calls: amount, tokens: amount });

const again = v.object({
  window: count,
  after: repeats,
  matched: repeats,
  points: count,
  spared: v.array(v.object({ way: v.string(), share: amount, tokens: amount })),
});

const repeatEstimates = v.object({ after: estimate, matched: estimate, difference: estimate });

const behaviour = v.object({
  compactions: count,
  calls: repeatEstimates,
  tokens: repeatEstimates,
  spared: v.array(v.object({ way: v.string(), estimate, tokens: amount })),
});

export const boundarySchema = v.object({
  id: v.string(),
  session: v.object({ id: v.string(), agent: v.string(), title: v.string(), file: v.string(), project: v.string() }),
  kind,
  line: count,
  replacedTokens: amount,
  names: texts,
  messages: texts,
  budget: amount,
  ways: v.array(way),
  again: v.nullable(again),
});

const report = v.object({
  time: v.string(),
  madeWith: v.object({ strata: v.string(), node: v.string() }),
  sessions: count,
  skipped: v.array(v.object({ file: v.string(), reason: v.string() })),
  measured: v.object({ agent: count, simulated: count }),
  boundaries: v.array(boundarySchema),
  cells: v.array(
    v.object({ way: v.string(), measure, kind, estimate: v.nullable(estimate), overBudget: count, tokens: amount }),
  ),
  behaviour: v.nullable(behaviour),
  differences: v.array(
    v.object({
      way: v.string(),
      against: v.string(),
      kind,
      measure,
      estimate,
      verdict: v.picklist(['better', 'worse', 'unclear']),
    }),
  ),
});

/** Throws `ResultsUnusable`; its message names the file and the problem. */
export async function loadReplay(path: string): Promise<ReplayReport> {
  const parsed = v.safeParse(report, parsedJson(path, await textOf(path)), { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  const reason = place === null ? issue.message : localizable('at {0}: {1}', place, issue.message);
  throw new ResultsUnusable(localizable('{0}: this is not a report of replayed sessions: {1}', path, reason));
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ResultsUnusable(localizable('{0}: the report could not be read: {1}', path, String(cause)), { cause });
  }
}

function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ResultsUnusable(
      localizable('{0}: this is not JSON: {1}', `${path}${lineOf(text, cause)}`, reasonOf(cause)),
      { cause },
    );
  }
}

/** The line of a JSON error as `:12`, or empty if unknown: V8 gives a position for some errors only. */
function lineOf(text: string, error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  if (position === undefined && !/end of JSON/.test(String(error))) return text.includes('\n') ? '' : ':1';
  const end = position === undefined ? text.length : Number(position);
  return `:${text.slice(0, end).split('\n').length}`;
}

/** The error message of V8 without the piece of the file that it quotes. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/,? ?"[\s\S]*$/, '') : String(error);
}
