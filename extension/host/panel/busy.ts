import type { BusyView } from '../../protocol/messages';
import type { Inspector } from '../inspector';

export function busyView({ busy }: Inspector): BusyView | null {
  if (!busy) return null;
  const { label, progress } = busy;
  return { label, cancellable: true, progress: progress && { ...progress, text: endOf(progress.text) } };
}

/** The panel shows one line of the streaming text. */
const maxTextLength = 160;

function endOf(text: string): string {
  return text.slice(-maxTextLength).replace(/\s+/g, ' ').trimStart();
}
