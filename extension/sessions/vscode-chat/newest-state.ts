import { asList, asRecord, type JsonRecord } from '../records/json';
import { readLine } from '../records/line';
import { isOpenState } from './request';

/** Whether the newest response is incomplete according to the last lines of a log; null if they do not contain its state. */
export function awaitsReplyAfter(tail: readonly string[]): boolean | null {
  for (const text of [...tail].reverse()) {
    const reading = readLine({ number: 0, text });
    const state = reading.kind === 'record' ? stateIn(reading.record) : null;
    if (state !== null) return isOpenState(state.value);
  }
  return null;
}

function stateIn({ kind, k, v }: JsonRecord): JsonRecord | null {
  const [root, index, field, ...deeper] = asList(k);
  if (root !== 'requests') return null;
  if (kind === 2 && index === undefined) return asRecord(asRecord(asList(v).at(-1))?.modelState);
  return kind === 1 && field === 'modelState' && deeper.length === 0 ? asRecord(v) : null;
}
