import { entriesBefore } from '../../../engine/conversation/before-compaction';
import type { Conversation } from '../../../engine/conversation/conversation';
import { contextTokensOf, type Entry } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { SessionOutline, WantedLine } from '../../../sessions/adapter';
import { contextWindowOf } from '../../../sessions/model-windows';
import { isByItself } from '../../../sessions/own-compaction/own-compaction';
import type { ParsedSession } from '../../../sessions/session';
import { claudeCodeSize } from './own-size';

/** Claude Code works with one of these. Which one depends on the account as well, and no record of a session says it. */
const smallestWindow = 200_000;
const windows = [smallestWindow, 1_000_000];

/** All versions compact by themselves in the last quarter of the window, unless a variable lowers the size. */
const smallestShare = 0.75;

type WorkingWindow = Pick<ParsedSession, 'contextWindow' | 'windowShownBy'>;

/**
 * The context window that Claude Code works with, if the session shows that it is not the model's usual one. A smaller window is an
 * assumption, because a setting that Strata does not read can make it compact at the same size in a larger window.
 */
export function workingWindow(conversation: Conversation, model: string | null): WorkingWindow {
  const usual = contextWindowOf(model);
  if (usual === null) return {};
  const last = lastByItself(conversation, model);
  const { entries } = conversation;
  const largest = largestReport(entries, model);
  if (last === null || last.size > usual) return largest > usual ? larger(largest) : {};
  const since = largestReport(entries.slice(last.entryCount), model);
  return since > usual ? larger(since) : smaller(last.size, since, usual, model);
}

function larger(reported: number): WorkingWindow {
  const contextWindow = windows.find((window) => window >= reported);
  return contextWindow === undefined ? {} : { contextWindow, windowShownBy: { by: 'usage', tokens: reported } };
}

function smaller(size: number, reported: number, usual: number, model: string | null): WorkingWindow {
  const sizeByDefault = claudeCodeSize({}, { model, contextWindow: usual, variables: {} });
  if (typeof sizeByDefault !== 'number' || size >= sizeByDefault * smallestShare) return {};
  const contextWindow = windows.find((window) => window >= Math.max(size, reported));
  if (contextWindow === undefined || contextWindow >= usual || size < contextWindow * smallestShare) return {};
  return { contextWindow, windowShownBy: { by: 'compaction', tokens: size } };
}

interface LastByItself {
  /** Tokens. */
  readonly size: number;
  /** Entries of the conversation up to it, the summary included. */
  readonly entryCount: number;
}

/** Null if the session has none, or another model wrote what was compacted. */
function lastByItself(conversation: Conversation, model: string | null): LastByItself | null {
  const last = conversation.agentCompactions.findLast(isByItself);
  if (!last?.tokensBefore) return null;
  const entryCount = entriesBefore(last, conversation).size;
  const newest = conversation.entries.slice(0, entryCount).findLast((entry) => entry.model !== undefined);
  return newest?.model === model ? { size: last.tokensBefore, entryCount } : null;
}

/** In tokens. */
function largestReport(entries: readonly Entry[], model: string | null): number {
  const reports = entries.flatMap((entry) =>
    entry.usage && entry.model === model ? [contextTokensOf(entry.usage)] : [],
  );
  return reports.reduce((largest, tokens) => Math.max(largest, tokens), 0);
}

const boundary = 'compact_boundary';
const boundaryRow = s.record({ subtype: s.name, compactMetadata: s.record({ trigger: s.name }) });

/** Only a compaction suggests that a window is smaller than the model's, and it may be anywhere in the file. */
export function lineForWindow({ fill }: SessionOutline): WantedLine | null {
  return (fill?.window ?? 0) > smallestWindow ? { text: `"${boundary}"`, isMeant: isAutomatic } : null;
}

function isAutomatic(line: string): boolean {
  const [record] = recordsOf([line]);
  const { subtype, compactMetadata } = s.read(boundaryRow, record ?? {});
  return subtype === boundary && compactMetadata.trigger === 'auto';
}
