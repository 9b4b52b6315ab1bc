import type { Estimate } from '../../extension/evaluation/measure/report';
import { contenderKey } from '../../extension/evaluation/measure/results';
import { meanWithInterval } from '../../extension/evaluation/measure/statistics';
import { contenderNames } from './contenders';
import {
  compare,
  earlyRules,
  heldMetrics,
  lastCompaction,
  lostPerCompaction,
  meanOf,
  type Quantity,
  quantityIn,
  type StudyFindings,
  samplesOf,
  verdictsOn,
  wholeContenders,
} from './figures';
import { kappa, type Pair, squared } from './kappa';
import { type ActVerdict, actVerdicts } from './open-acts';

/** The tables of docs/study.md, by the names of their marks. */
export function tablesOf(findings: StudyFindings): Readonly<Record<string, string>> {
  return {
    results: resultsTable(findings, lastCompaction),
    first: resultsTable(findings, 1),
    acts: actsTable(findings),
    drift: driftTable(findings),
    differences: differencesTable(findings),
    costs: costsTable(findings),
    agreement: agreementTable(findings),
  };
}

function nameOf(key: string): string {
  return contenderNames[key] ?? key;
}

function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const columns = [
  { head: 'goal coherence (1–5)', quantity: 'coherence', format: marked },
  { head: 'goal survival', quantity: 'goal-survival', format: percent },
  { head: 'constraint recall', quantity: 'constraint-recall', format: percent },
  { head: 'of attacked rules', quantity: 'attacked-recall', format: percent },
  { head: 'settled work', quantity: 'settled-recall', format: percent },
  { head: 'behavioural alignment', quantity: 'acts', format: percent },
  { head: 'held', quantity: 'held', format: percent },
  { head: 'tokens', quantity: 'tokens', format: tokens },
] as const satisfies readonly { head: string; quantity: Quantity; format: (estimate: Estimate) => string }[];

function resultsTable(findings: StudyFindings, compaction: number): string {
  const rows = wholeContenders(findings).map((key) => [
    nameOf(key),
    ...columns.map(({ quantity, format }) => {
      const estimate = meanWithInterval(samplesOf(findings, key, quantityIn(quantity, findings), compaction));
      return estimate ? format(estimate) : '–';
    }),
  ]);
  return markdown(['', ...columns.map(({ head }) => head)], rows);
}

function percent({ mean, low, high }: Estimate): string {
  const whole = (value: number) => String(Math.round(value * 100));
  return `${whole(mean)} [${whole(low)}, ${whole(high)}]`;
}

function marked({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

function tokens({ mean }: Estimate): string {
  return Math.round(mean).toLocaleString('en');
}

const actWords: Readonly<Record<ActVerdict, string>> = {
  right: 'right',
  harmless: 'harmless, and shows no knowledge',
  breaks: 'breaks a rule',
  old: 'by an old goal or rule',
  again: 'begins again what is finished or failed',
};

/** Means of both readers. */
function actsTable(findings: StudyFindings): string {
  const rows = wholeContenders(findings).map((key) => {
    const counts = verdictsOn(findings, key);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const halves = (count: number) => String(count / Math.max(1, findings.acts.length));
    return [nameOf(key), halves(all), ...actVerdicts.map((verdict) => halves(counts.get(verdict) ?? 0))];
  });
  return markdown(['', 'acts', ...actVerdicts.map((verdict) => actWords[verdict])], rows);
}

function driftTable(findings: StudyFindings): string {
  const rows = wholeContenders(findings).map((key) => {
    const units = findings.results.units.filter(({ contender }) => contenderKey(contender) === key);
    const survival = (compaction: number) =>
      meanOf(samplesOf(findings, key, quantityIn('goal-survival', findings), compaction).map(({ value }) => value));
    const rules = units.map(earlyRules);
    const sum = (of: (one: (typeof rules)[number]) => number) => rules.reduce((total, one) => total + of(one), 0);
    const drifts = units.flatMap(({ boundaries }) => boundaries.map(({ isDrift }) => isDrift === true));
    const between = lastCompaction - 1;
    return [
      nameOf(key),
      share(lostPerCompaction(survival(1), survival(lastCompaction), between)),
      share(
        lostPerCompaction(
          sum(({ first }) => first),
          sum(({ last }) => last),
          between,
        ),
      ),
      `${sum(({ first }) => first)} → ${sum(({ last }) => last)} of ${sum(({ of }) => of)}`,
      `${drifts.filter(Boolean).length} of ${drifts.length}`,
    ];
  });
  return markdown(
    ['', 'goals lost per compaction', 'early rules lost per compaction', 'early rules named', 'drift events'],
    rows,
  );
}

function share(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : `${Math.round(value * 100)} %`;
}

const compared: readonly Quantity[] = [...heldMetrics, 'acts', 'held'];

/** Differences from the ladder, over both probed compactions. */
function differencesTable(findings: StudyFindings): string {
  const rows = wholeContenders(findings)
    .filter((key) => key !== 'ladder')
    .map((key) => [
      nameOf(key),
      ...compared.map((quantity) => {
        const found = compare(findings, key, 'ladder', quantity, lastCompaction);
        if (!found) return '–';
        const text = signed(found.estimate);
        return found.isClear ? `**${text}**` : text;
      }),
    ]);
  return markdown(['against the ladder', 'goal', 'rules', 'settled', 'acts', 'held'], rows);
}

function signed({ mean, low, high }: Estimate): string {
  const whole = (value: number) => {
    const rounded = Math.round(value * 100);
    return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : '0';
  };
  return `${whole(mean)} [${whole(low)}, ${whole(high)}]`;
}

/** Dollars per million tokens: the price of a mid-size model in 2026-11. */
const price = { input: 2, output: 10 };

function costsTable(findings: StudyFindings): string {
  const { costs } = findings;
  const rows = wholeContenders(findings).flatMap((key) => {
    const own = costs.filter(({ unit }) => unit.endsWith(` ${key}`));
    if (own.length === 0) return [];
    const [calls, input, output] = (['calls', 'input', 'output'] as const).map((part) =>
      meanOf(own.map((cost) => cost[part])),
    ) as [number, number, number];
    const cents = ((input * price.input + output * price.output) / 1_000_000) * 100;
    return [[nameOf(key), calls.toFixed(1), thousands(input), thousands(output), cents.toFixed(1)]];
  });
  return markdown(['', 'calls', 'tokens read', 'tokens written', 'cents'], rows);
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Lowest mark at which the goal counts as stated. */
const leastStated = 4;

function agreementTable(findings: StudyFindings): string {
  const [first = [], second = []] = findings.marks;
  const keyOf = ({ task, contender, compaction }: (typeof first)[number]) => `${task} ${contender} ${compaction}`;
  const bySecond = new Map(second.map((mark) => [keyOf(mark), mark.mark]));
  const both = first.flatMap((mark): Pair<number>[] => {
    const other = bySecond.get(keyOf(mark));
    return other === undefined ? [] : [[mark.mark, other]];
  });
  const told = new Map(
    findings.results.units.flatMap(({ task, contender, boundaries }) =>
      boundaries.map(({ compaction, after }): [string, boolean] => [
        `${task} ${contenderKey(contender)} ${compaction}`,
        after.goal.isTold,
      ]),
    ),
  );
  const withRule = (marks: typeof first) =>
    marks.flatMap((mark): Pair<boolean>[] => {
      const isTold = told.get(keyOf(mark));
      return isTold === undefined ? [] : [[isTold, mark.mark >= leastStated]];
    });
  return markdown(
    ['', 'answers', 'same', 'kappa'],
    [
      ['two readers, marks 1 to 5 (squared weights)', String(both.length), equal(both), number(kappa(both, squared))],
      actsAgreement(findings),
      ...[first, second].map((marks, index) => {
        const pairs = withRule(marks);
        return [
          `rule and ${index === 0 ? 'first' : 'second'} reader (4 or more)`,
          String(pairs.length),
          equal(pairs),
          number(kappa(pairs)),
        ];
      }),
    ],
  );
}

function equal<T>(pairs: readonly Pair<T>[]): string {
  const same = pairs.filter(([one, other]) => one === other).length;
  return pairs.length === 0 ? '–' : `${Math.round((100 * same) / pairs.length)} %`;
}

function number(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : value.toFixed(2);
}

function actsAgreement({ acts: [first = [], second = []] }: StudyFindings): string[] {
  const keyOf = ({ task, contender, request }: (typeof first)[number]) => `${task} ${contender} ${request}`;
  const bySecond = new Map(second.map((act) => [keyOf(act), act.verdict]));
  const pairs = first.flatMap((act): Pair<ActVerdict>[] => {
    const other = bySecond.get(keyOf(act));
    return other === undefined ? [] : [[act.verdict, other]];
  });
  return ['two readers, verdicts on acts', String(pairs.length), equal(pairs), number(kappa(pairs))];
}
