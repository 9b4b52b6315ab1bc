import type { BusyView } from '../../protocol/messages';
import type { Inspector } from '../inspector';

export function busyView({ busy }: Inspector): BusyView | null {
  return busy ? { label: busy.label, cancellable: true } : null;
}
