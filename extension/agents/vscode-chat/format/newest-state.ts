import * as s from '../../../platform/json/schemas';
import { readLine } from '../../../platform/lines/line';
import { logLine } from './mutations';
import { isOpenState } from './request';

const stateRecord = s.optionalRecord({ value: s.anything });

const requestRecord = s.record({ modelState: stateRecord });

/** Whether the newest response is incomplete according to the last lines of a log; null if they do not contain its state. */
export function awaitsReplyAfter(tail: readonly string[]): boolean | null {
  for (const text of [...tail].reverse()) {
    const reading = readLine({ number: 0, text });
    const state = reading.kind === 'record' ? stateIn(reading.record) : null;
    if (state !== null) return isOpenState(state.value);
  }
  return null;
}

function stateIn(record: s.JsonRecord): s.Read<typeof stateRecord> {
  const { kind, k, v } = s.read(logLine, record);
  const [root, index, field, ...deeper] = k;
  if (root !== 'requests') return null;
  if (kind === 2 && index === undefined) return s.read(requestRecord, s.read(s.list, v).at(-1)).modelState;
  return kind === 1 && field === 'modelState' && deeper.length === 0 ? s.read(stateRecord, v) : null;
}
