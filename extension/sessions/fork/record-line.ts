import { localizable } from '../../engine/wording/localizable-text';
import type { JsonRecord } from '../../platform/json/schemas';
import { ForkRefused } from './fork-format';

/** A record as a line. A parser takes any depth of nesting, but to write it again takes a call for each level. */
export function recordLine(record: JsonRecord): string {
  try {
    return JSON.stringify(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ForkRefused(localizable('A record of this session is nested too deeply to be written again.'));
  }
}
