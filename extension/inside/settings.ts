import type { CompactionSettings } from '../conversations/compaction/settings';

/** How sessions of agents are compacted. */
export type AgentSettings = CompactionSettings & { readonly fallbackContextWindow: number };
