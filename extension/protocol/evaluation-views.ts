import type { EvaluationResults } from '../evaluation/measure/evaluation-results';
import { boundaryOf, pointOf } from '../evaluation/measure/make-report';
import type { ReplayBoundary, ReplayReport, ReplayWay } from '../evaluation/measure/replay';
import type { Reading } from '../evaluation/measure/results';
import type {
  ContextTextView,
  ProbeView,
  ReadingView,
  ReplayBoundaryLine,
  ReplayView,
  ReplayWayLine,
} from './evaluation';

/** The probes of one point in the report; null if the results have no such boundary. */
export function probeViewOf(results: EvaluationResults, id: string): ProbeView | null {
  const found = boundaryOf(results, id);
  if (!found) return null;
  const { before, after, ...boundary } = found.boundary;
  return {
    point: pointOf(found.unit, found.boundary),
    taskTitle: found.unit.taskTitle,
    boundary,
    before: readingView(before, results.texts),
    after: readingView(after, results.texts),
  };
}

/** Shows a context in full or not at all, because one with missing messages would be misleading. */
function readingView({ context, ...reading }: Reading, texts: ReadonlyMap<string, string>): ReadingView {
  const messages = context.flatMap(([kind, key, tokens]): ContextTextView[] => {
    const text = texts.get(key);
    return text === undefined ? [] : [{ kind, tokens, text }];
  });
  return { ...reading, context: messages.length === context.length && context.length > 0 ? messages : null };
}

/** Leaves out the texts, which are most of a report. */
export function replayViewOf({ boundaries, ...report }: ReplayReport): ReplayView {
  return { ...report, boundaries: boundaries.map(boundaryLine) };
}

function boundaryLine({ names, messages, ways, ...boundary }: ReplayBoundary): ReplayBoundaryLine {
  return { ...boundary, names: names.length, messages: messages.length, ways: ways.map(wayLine) };
}

function wayLine({ text: _text, namesHeld, messagesHeld, ...way }: ReplayWay): ReplayWayLine {
  return { ...way, namesHeld: namesHeld.length, messagesHeld: messagesHeld.length };
}
