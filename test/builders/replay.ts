import type {
  ReplayBoundary,
  ReplayCell,
  ReplayDifference,
  ReplayReport,
  ReplayWay,
} from '../../extension/evaluation/measure/replay';
import type { Estimate } from '../../extension/evaluation/measure/report';
import { meanWithInterval, type Sample, verdictOf } from '../../extension/evaluation/measure/statistics';

const names = ['src/loader.ts', 'loadConfig', 'ECONNRESET', 'test/loader.test.ts', 'parseToml', '#4211', 'v2.3.1'];
const messages = ['never change the public loadConfig() signature', 'answer in one paragraph'];

/** The number of the seven names that each way keeps. */
const strengths: Readonly<Record<string, number>> = {
  everything: 7,
  agent: 3,
  checkpoint: 4,
  pipeline: 5,
  naive: 2,
  'a-mem': 3,
};

/** A plausible replay: some sessions, each with a compaction by the agent and a simulated boundary. */
export function replayReport(sessions = 6): ReplayReport {
  const boundaries = Array.from({ length: sessions }, (_, index) => [
    boundary(index, 'agent'),
    boundary(index, 'simulated'),
  ]).flat();
  const kinds = ['agent', 'simulated'] as const;
  const measures = ['names', 'messages'] as const;
  const each = kinds.flatMap((kind) => measures.map((measure) => ({ kind, measure })));
  return {
    time: '2026-11-20T09:30:00.000Z',
    madeWith: { strata: '0.9.0', node: 'v22.20.0' },
    sessions,
    skipped: [{ file: '/home/dev/.codex/sessions/torn.jsonl', reason: 'line 12 is no JSON' }],
    measured: { agent: sessions, simulated: sessions },
    boundaries,
    behaviour: {
      compactions: sessions,
      calls: { after: share(1.12), matched: share(0.49), difference: share(0.63) },
      tokens: { after: share(1686), matched: share(506), difference: share(1180) },
      spared: [{ way: 'ladder', estimate: share(0.6), tokens: 33_117 }],
    },
    cells: each.flatMap(({ kind, measure }) => waysOf(kind).map((way) => cell(boundaries, way, kind, measure))),
    differences: each.flatMap(({ kind, measure }) =>
      waysOf(kind).flatMap((way) => difference(boundaries, way, kind, measure)),
    ),
  };
}

/** An estimate with an interval of a tenth around it. */
function share(mean: number): Estimate {
  const tenth = Math.abs(mean) / 10;
  return { mean, low: mean - tenth, high: mean + tenth, count: 12, tasks: 6 };
}

type Kind = ReplayBoundary['kind'];
type Measure = ReplayCell['measure'];

function waysOf(kind: Kind): string[] {
  return Object.keys(strengths).filter((way) => kind === 'agent' || way !== 'agent');
}

function boundary(index: number, kind: Kind): ReplayBoundary {
  return {
    id: `session-${index} ${kind}`,
    session: {
      id: `session-${index}`,
      agent: index % 2 === 0 ? 'claude-code' : 'codex',
      title: `Refactor the loader, part ${index + 1}`,
      file: `/home/dev/sessions/session-${index}.jsonl`,
      project: `/home/dev/project-${index}`,
    },
    kind,
    line: 120 + 40 * index,
    replacedTokens: 42_000 + 3_000 * index,
    names,
    messages,
    budget: 1_600,
    ways: waysOf(kind).map((way) => measureWay(way, index)),
    again: null,
  };
}

function measureWay(way: string, index: number): ReplayWay {
  const count = Math.min(names.length, (strengths[way] ?? 0) + (index % 2));
  const namesHeld = names.slice(0, count);
  const messagesHeld = way === 'naive' ? [] : messages.slice(0, way === 'agent' ? 1 : 2);
  const isWithinBudget = !(way === 'a-mem' && index === 1);
  const text = [...messagesHeld, ...namesHeld].join('\n');
  return { way, text, tokens: isWithinBudget ? 1_500 : 2_400, isWithinBudget, namesHeld, messagesHeld };
}

function samples(boundaries: readonly ReplayBoundary[], way: string, kind: Kind, measure: Measure): Sample[] {
  return boundaries
    .filter((each) => each.kind === kind)
    .flatMap(({ session, ways }) =>
      ways
        .filter((each) => each.way === way && each.isWithinBudget)
        .map((each) => ({ cluster: session.file, value: shareHeld(each, measure) })),
    );
}

function shareHeld({ namesHeld, messagesHeld }: ReplayWay, measure: Measure): number {
  return measure === 'names' ? namesHeld.length / names.length : messagesHeld.length / messages.length;
}

function cell(boundaries: readonly ReplayBoundary[], way: string, kind: Kind, measure: Measure): ReplayCell {
  const estimate = meanWithInterval(samples(boundaries, way, kind, measure));
  return { way, measure, kind, estimate, overBudget: way === 'a-mem' ? 1 : 0, tokens: 1_500 };
}

function difference(
  boundaries: readonly ReplayBoundary[],
  way: string,
  kind: Kind,
  measure: Measure,
): ReplayDifference[] {
  const against = kind === 'agent' ? 'agent' : 'checkpoint';
  if (way === against) return [];
  const other = new Map(samples(boundaries, against, kind, measure).map(({ cluster, value }) => [cluster, value]));
  const paired = samples(boundaries, way, kind, measure).map(({ cluster, value }) => ({
    cluster,
    value: value - (other.get(cluster) ?? 0),
  }));
  const estimate = meanWithInterval(paired);
  return estimate ? [{ way, against, kind, measure, estimate, verdict: verdictOf(estimate, 'higher') }] : [];
}
