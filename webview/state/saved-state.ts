import type { PinDraft } from './core/pin-form.svelte';
import type { DiffLayout } from './shared/text-diff';
import type { Tab } from './tabs.svelte';
import type { SavedTimeline } from './timeline/timeline.svelte';

/** State that the editor keeps while a panel is hidden, reloaded or restarted. */
export interface SavedState {
  /** Increased when the shape changes; state of another version is ignored. */
  readonly version: 1;
  readonly tab: Tab;
  readonly gaugeShown: boolean;
  readonly legendShown: boolean | null;
  readonly diffLayout: DiffLayout;
  /** Absent in state saved before this choice existed. */
  readonly driftShown?: boolean;
  /** Belongs to one session and is dropped when another one opens. */
  readonly session: SavedSession | null;
}

export interface SavedSession {
  readonly file: string;
  readonly timeline: SavedTimeline;
  readonly compactionId: string | null;
  readonly hiddenIssues: number;
  readonly instructions: string;
  /** An unfinished pin. */
  readonly pin: PinDraft | null;
}

/** Only this webview writes the state, so a matching version guarantees its shape. */
export function readSavedState(value: unknown): SavedState | null {
  if (typeof value !== 'object' || value === null) return null;
  return (value as { version?: unknown }).version === 1 ? (value as SavedState) : null;
}
