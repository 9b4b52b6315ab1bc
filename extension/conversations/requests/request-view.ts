import type { Context } from '../../engine/conversation/context';
import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { emptyOverlay, project } from '../../engine/conversation/projection';
import { estimatesByLength } from '../../engine/conversation/tokens';
import { overlayOf } from '../../engine/journal/overlay';
import type { Workbench } from '../../engine/run/workbench';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import { isSystemPrompt } from './system-prompt';

/**
 * The context that a request is made from. As a rule that is the conversation's own, as the panel shows it. Where the
 * conversation does not go exactly as the request does (it could not be written, another window went on with it), the
 * request counts: blocks stand over it as far as all of their entries are in it.
 */
export function contextOfRequest(bench: Workbench, entries: readonly UnplacedEntry[], system: UnplacedEntry): Context {
  const { conversation } = bench;
  if (goesAs(conversation, entries)) return bench.context;
  const placed = requestAlone(entries, system, new Map(conversation.entries.map((entry) => [entry.id, entry])));
  return project(placed, overlayOf(bench.state, placed), bench.ledger);
}

/** Context of a request that is not stored. Its sizes are not displayed, so lengths approximate tokens. */
export function contextWithoutConversation(entries: readonly UnplacedEntry[], system: UnplacedEntry): Context {
  return project(requestAlone(entries, system, new Map()), emptyOverlay, estimatesByLength());
}

/** The written messages of the context. Results that Strata adds for calls without one exist only in the context. */
export function pathOf({ entries, agentContext }: Conversation): readonly Entry[] {
  const written = new Set(entries.map(({ id }) => id));
  return agentContext.filter((entry) => written.has(entry.id) && !isSystemPrompt(entry));
}

function goesAs(conversation: Conversation, request: readonly UnplacedEntry[]): boolean {
  const spoken = pathOf(conversation);
  return spoken.length === request.length && spoken.every(({ id }, index) => id === request[index]?.id);
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
