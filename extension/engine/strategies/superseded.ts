import { type CompactionPlan, excessTokens, type PlanInput, roomForOutput } from '../block/plan';
import type { Strategy } from '../block/strategy';
import { inputText } from '../conversation/entry';
import { untouchableFrom } from '../conversation/steps';
import { brief } from '../conversation/text';
import { argumentsIn } from '../conversation/tool-subject';
import { errorLines } from '../ledger/problems';
import { searching } from '../ledger/readings';
import { filesOf } from '../ledger/steps';
import { type AnsweredCall, answeredCalls } from '../memory/answered-calls';
import type { SentenceOf } from '../wording/counts';
import { localizable } from '../wording/localizable-text';
import { freed, isReplaceable, nameOf, planOfReplacements, type Replacement, writeReplacements } from './result-texts';

const defaults = {
  /** Number of newest tool uses whose results always stay, because the agent is still working with them. */
  keepToolUses: 5,
};

/** docs/specification/strategies.md, "Superseded". */
export const supersededStrategy: Strategy<typeof defaults> = {
  name: 'superseded',
  title: localizable('Superseded output'),
  description: localizable(
    'Removes tool output that a later call replaced: a file that was read or changed again, the same call made again, an error that was fixed. Each removal names what supersedes it.',
  ),
  defaults,
  keepingNothing: { keepToolUses: 0 },
  untouchedFrom: ({ messages }) => untouchableFrom(messages),
  plan(input, parameters) {
    const calls = answeredCalls(input.messages);
    const old = new Set(calls.slice(0, Math.max(0, calls.length - parameters.keepToolUses)));
    const found = supersededCalls(calls).filter(({ answered }) => isReplaceable(answered));
    if (found.length === 0) return { kind: 'nothing-to-compact' };
    const replacements = found.filter((one) => old.has(one.answered) && freed(one) > 0);
    const plans = plansOf(input, replacements, parameters);
    if (replacements.length === 0) return { kind: 'protected' };
    return plans.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans };
  },
  write: writeReplacements,
  withoutModel: true,
};

interface Superseded extends Replacement {
  /** True if the later call repeats the result; false if it only makes it out of date. */
  readonly isRepeated: boolean;
}

const repeated: SentenceOf = (counted) => localizable('{0} that a later call repeats.', counted);
const outdated: SentenceOf = (counted) => localizable('{0} of files that were changed later.', counted);

/** Repeated results are removed first; outdated file contents only if that is not enough. */
function plansOf(
  { rejected, tokens, room }: PlanInput,
  found: readonly Superseded[],
  parameters: typeof defaults,
): CompactionPlan[] {
  const groups = [found.filter(({ isRepeated }) => isRepeated), found.filter(({ isRepeated }) => !isRepeated)];
  let excess = excessTokens({ tokens, room: roomForOutput(room) });
  return groups.flatMap((group, index) => {
    const isTried = rejected.has(group[0]?.answered.message.key ?? '');
    if (group.length === 0 || isTried || excess <= 0) return [];
    excess -= group.reduce((total, one) => total + freed(one), 0);
    return [planOfReplacements('superseded', parameters, group, index === 0 ? repeated : outdated)];
  });
}

/** Goes backwards from the newest call, so that each call is compared with later ones. */
function supersededCalls(calls: readonly AnsweredCall[]): Superseded[] {
  const later = new LaterCalls();
  const found: Superseded[] = [];
  for (const answered of calls.toReversed()) {
    const superseded = later.superseding(answered);
    if (superseded) found.push({ answered, ...superseded, text: `[SUPERSEDED] ${superseded.text}` });
    later.add(answered);
  }
  return found.reverse();
}

/** Endings of a line about a call that was made again. */
const seeThere = '; see there.';
const outOfDate = ', and the file changed after that. Read it again if its text is needed.';

/** Facts about the calls after the current one. */
class LaterCalls {
  readonly #same = new Map<string, AnsweredCall>();
  /** The parts that were read, by file, with the ending of a line about an earlier reading. */
  readonly #readings = new Map<string, Map<string, typeof seeThere | typeof outOfDate>>();
  readonly #changed = new Set<string>();
  /** Tool and subject of successful calls. */
  readonly #succeeded = new Set<string>();

  superseding(answered: AnsweredCall): { text: string; isRepeated: boolean } | null {
    const { call, result, kind } = answered;
    const same = this.#same.get(sameCall(answered));
    const name = nameOf(answered);
    const path = kind === 'look' && isReading(answered) ? filesOf(call)[0] : undefined;
    const again = path === undefined ? null : this.#endingOf(path, partOf(call.input));
    if (result.isError && this.#succeeded.has(attempt(answered))) {
      const reason = brief(errorLines(result.text, true)[0] ?? '', longestReason);
      return { text: `${name} failed${reason === '' ? '' : ` (${reason})`}; a later try succeeded.`, isRepeated: true };
    }
    if (same && (same.result.text === result.text || isRepeatable(answered, same))) {
      return { text: `${name} was called again later${again ?? seeThere}`, isRepeated: true };
    }
    if (path === undefined || result.isError) return null;
    if (again !== null) return { text: `${path} was read again later${again}`, isRepeated: true };
    if (!this.#changed.has(path)) return null;
    return { text: `${path} was changed later. Read it again if its text is needed.`, isRepeated: false };
  }

  /** Null if neither this part nor the whole file was read again. */
  #endingOf(path: string, part: string): string | null {
    const parts = this.#readings.get(path);
    const endings = [parts?.get(whole), parts?.get(part)];
    return endings.find((ending) => ending === seeThere) ?? endings.find((ending) => ending !== undefined) ?? null;
  }

  add(answered: AnsweredCall): void {
    const { call, result, kind } = answered;
    this.#same.set(sameCall(answered), answered);
    if (result.isError) return;
    this.#succeeded.add(attempt(answered));
    for (const path of filesOf(call)) {
      if (kind === 'change') this.#changed.add(path);
      else if (isReading(answered)) {
        const parts = this.#readings.get(path) ?? new Map();
        const part = partOf(call.input);
        if (!parts.has(part)) parts.set(part, this.#changed.has(path) ? outOfDate : seeThere);
        this.#readings.set(path, parts);
      }
    }
  }
}

const longestReason = 100;

function sameCall({ call }: AnsweredCall): string {
  return `${call.name}\n${inputText(call.input)}`;
}

/** Identifies a retry of a failed call: the same tool on the same file, or the identical call. */
function attempt(answered: AnsweredCall): string {
  const [file] = filesOf(answered.call);
  return file === undefined ? sameCall(answered) : `${answered.call.name}\n${file}`;
}

/** False for unknown tools, which may return something else each time, such as the next page of a list. */
function isRepeatable({ kind, call, result }: AnsweredCall, { result: later }: AnsweredCall): boolean {
  if (later.isError && !result.isError && kind !== 'run') return false;
  return (
    kind === 'run' || filesOf(call).length > 0 || /grep|search|glob|find|list|^ls$|bash|shell|exec/i.test(call.name)
  );
}

function isReading({ call }: AnsweredCall): boolean {
  return !searching.test(call.name) && filesOf(call).length === 1;
}

const whole = 'whole';

/** Names of arguments that select a part of a file, as agents use them. */
const partNames = [
  'offset',
  'limit',
  'start',
  'end',
  'start_line',
  'end_line',
  'startLine',
  'endLine',
  'view_range',
  'pages',
];

function partOf(input: unknown): string {
  const values = argumentsIn(input);
  const chosen = partNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  return chosen.length === 0 ? whole : JSON.stringify(chosen);
}
