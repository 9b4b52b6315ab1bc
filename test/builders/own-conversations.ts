import { join } from 'node:path';
import type { CompactionSettings } from '../../extension/conversations/compaction/settings';
import {
  type EditorConversationParts,
  EditorConversations,
} from '../../extension/host/conversations/editor-conversations';
import { CompactionWishes } from '../../extension/host/tools/compaction-wishes';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';

/** Settings without automatic compaction. */
const untouched: CompactionSettings = {
  strategy: 'pipeline',
  parameters: {},
  verification: 'repair',
  automation: { enabled: false, floorTokens: 0, pauseTokens: 0, warnAtPercent: 90 },
};

/**
 * How one window of the editor stores conversations in a folder. A second call with the same folder represents another
 * window.
 */
export function ownParts(root: string, settings: CompactionSettings = untouched): EditorConversationParts {
  return {
    folders: { conversations: join(root, 'conversations'), journals: join(root, 'journals') },
    models: { toolsFor: async () => ({ kind: 'ready', tools: toolsWithoutModel, maxPromptTokens: null }) },
    wishes: new CompactionWishes(),
    settings: () => ({ ...settings, fallbackContextWindow: 100_000 }),
    cwd: () => null,
    warn: () => undefined,
  };
}

export function ownConversations(root: string, settings?: CompactionSettings): EditorConversations {
  return new EditorConversations(ownParts(root, settings));
}
