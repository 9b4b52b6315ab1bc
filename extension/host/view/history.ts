import { blockForm } from '../../engine/conversation/context';
import { historyOf, type MarkWithDrift } from '../../inspection/history';
import type { Inspection } from '../../inspection/inspection';
import type { HistoryMark, HistoryView } from '../../protocol/view';
import { agentCompactionId, runId } from './compaction-ids';
import { agentTag } from './compactions';

export function historyView(inspection: Inspection): HistoryView {
  const { branch, points, marks, messages } = historyOf(inspection);
  const placeOf = (step: number) => branch.entries[step];
  return {
    points: points.map(({ step, tokens }) => {
      const { at = 0, turn = 0, entry } = placeOf(step) ?? {};
      return { at, turn, tokens, time: timeOf(entry?.timestamp ?? null) };
    }),
    marks: marks.map((mark) => ({ ...markView(mark), at: placeOf(mark.step)?.at ?? 0 })),
    moments: momentPlaces(inspection),
    messages,
  };
}

function momentPlaces({ moments }: Inspection): number[] {
  const { branch, list } = moments;
  return list.map(({ step }) => branch.entries[step]?.at ?? 0);
}

function markView(mark: MarkWithDrift): Omit<HistoryMark, 'at'> {
  const { before, after, drift, goals } = mark;
  const goalFields = goals === null ? {} : { goals };
  if (mark.by === 'agent') {
    const { compaction } = mark;
    return {
      id: agentCompactionId(compaction),
      tag: agentTag(compaction),
      active: true,
      before,
      after,
      drift,
      ...goalFields,
    };
  }
  const { records } = mark.run;
  // A partly undone run has the colour of its newest active block.
  const shown = records.findLast(({ active }) => active) ?? records.at(-1);
  return {
    id: runId(shown?.record.run ?? 0),
    tag: shown ? blockForm(shown.record.summaryType).tag : '',
    active: shown?.active ?? false,
    before,
    after,
    drift,
    ...goalFields,
  };
}

function timeOf(timestamp: string | null): number | null {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? null : time;
}
