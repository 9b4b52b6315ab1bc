import type { LossReport } from '../../engine/block/loss';
import { calibratedLoss, lossText } from '../../engine/run/prepare/loss-text';
import type { LossView } from '../../protocol/view';
import { translated } from '../failures/failure-text';

/** A report for display; null without a report, or with an empty one. */
export function lossView(report: LossReport | null, calibration: number): LossView | null {
  const shown = report === null ? null : calibratedLoss(report, calibration);
  const text = shown === null ? null : lossText(shown);
  return shown === null || text === null ? null : { ...shown, text: translated(text) };
}
