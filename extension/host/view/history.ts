import { blockForm } from '../../engine/conversation/context';
import { millisecondsOf } from '../../engine/conversation/milliseconds-of';
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
      return { at, turn, tokens, time: millisecondsOf(entry?.timestamp) };
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
  return { ...nameOf(mark), before, after, drift, ...(goals === null ? {} : { goals }) };
}

function nameOf(mark: MarkWithDrift): Pick<HistoryMark, 'id' | 'tag' | 'active'> {
  if (mark.by === 'agent') {
    return { id: agentCompactionId(mark.compaction), tag: agentTag(mark.compaction), active: true };
  }
  const { records } = mark.run;
  // A partly undone run has the colour of its newest active block.
  const shown = records.findLast(({ active }) => active) ?? records.at(-1);
  return {
    id: runId(shown?.record.run ?? 0),
    tag: shown ? blockForm(shown.record.summaryType).tag : '',
    active: shown?.active ?? false,
  };
}
