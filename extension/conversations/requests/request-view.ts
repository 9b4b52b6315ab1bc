import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { project, projectAlone } from '../../engine/conversation/projection';
import { estimatesByLength } from '../../engine/conversation/tokens';
import { overlayOf } from '../../engine/journal/overlay';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import type { ServedConversation } from '../served-conversation';

/**
 * The context that a request is made from: the conversation's own, as the panel shows it. If the conversation differs from
 * the request (it could not be written, or another window continued it), the request is projected by itself, with the
 * blocks whose entries are all in it.
 */
export function contextOfRequest(
  { workbench: bench, known }: Pick<ServedConversation, 'workbench' | 'known'>,
  entries: readonly UnplacedEntry[],
  system: () => UnplacedEntry,
): Context {
  const { conversation } = bench;
  if (known.consistsOf(entries)) return bench.context;
  const placed = requestAlone(entries, system(), new Map(conversation.entries.map((entry) => [entry.id, entry])));
  return project(placed, overlayOf(bench.state, placed), bench.ledger);
}

/** Context of a request that is not stored. Its sizes are not displayed, so lengths approximate tokens. */
export function contextWithoutConversation(entries: readonly UnplacedEntry[], system: UnplacedEntry): Context {
  return projectAlone(requestAlone(entries, system, new Map()), estimatesByLength());
}

function requestAlone(
  request: readonly UnplacedEntry[],
  system: UnplacedEntry,
  known: ReadonlyMap<string, Entry>,
): Conversation {
  const entries = request.map((entry) => known.get(entry.id) ?? placed(entry));
  const agentContext = system.parts.length === 0 ? entries : [placed(system), ...entries];
  return { entries, agentContext, agentCompactions: [] };
}

function placed(entry: UnplacedEntry): Entry {
  return { ...entry, origin: { file: '', line: 0 } };
}
