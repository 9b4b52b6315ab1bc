import type { Moment } from '../../engine/history/moments';
import type { Inspection } from '../../inspection/inspection';
import type { PastView, SessionView } from '../../protocol/view';

/** What is shown now with the gauges, rows and core of another moment. Nothing there can be undone or redone. */
export function viewAt(now: SessionView, then: SessionView, past: PastView): SessionView {
  const { gauge, system, inAgent, rows, core } = then;
  return {
    ...now,
    gauge,
    system,
    inAgent,
    rows,
    core,
    past,
    ageLineKey: null,
    undo: null,
    redo: null,
    notices: [],
    rescue: null,
  };
}

export function pastView({ moments }: Inspection, moment: Moment): PastView {
  const { branch, list } = moments;
  const place = branch.entries[moment.step];
  const time = Date.parse(place?.entry.timestamp ?? '');
  return {
    moment: list.indexOf(moment),
    of: list.length,
    at: place?.at ?? 0,
    turn: place?.turn ?? 0,
    time: Number.isNaN(time) ? null : time,
    after: moment.after,
  };
}
