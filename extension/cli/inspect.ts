import { dirname } from 'node:path';
import { type ContextTokens, type TokenKind, tokenKinds } from '../engine/conversation/context';
import { entryKind } from '../engine/conversation/entry-kind';
import { wholeShares } from '../engine/conversation/whole-tokens';
import type { Rereading } from '../engine/history/rereading';
import { calibratedLoss } from '../engine/run/prepare/loss-text';
import { counted } from '../engine/wording/counts';
import { historyOf } from '../inspection/history';
import type { Inspection } from '../inspection/inspection';
import { type ListedRun, sizedRuns } from '../inspection/listed-runs';
import { relativesOf } from '../inspection/relatives';
import { rereadingsIn } from '../inspection/rereadings';
import { messageText } from '../middleware/text';
import { agentNames } from '../sessions/session';
import { openInspection } from './opened';
import { print, printJson } from './output';
import type { JournalOptions } from './session-with-journal';

export async function inspect(file: string, options: JournalOptions & { json?: boolean }): Promise<void> {
  const inspection = await openInspection(file, options);
  inspection.relatives = await relativesOf(inspection.session, dirname(inspection.journal.path));
  if (options.json) printJson(inspectionAsJson(inspection));
  else print(inspectionAsText(inspection));
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
export function inspectionAsJson(inspection: Inspection) {
  const { session, issues, context, ledger } = inspection;
  const { entries } = session.conversation;
  const ofEntries = wholeShares(
    entries.map((entry) => ledger.ofEntry(entry)),
    context.tokens.calibration,
  );
  const known = new Set(entries.map((entry) => entry.id));
  return {
    session: {
      agent: session.agent,
      id: session.id,
      file: session.file,
      cwd: session.cwd,
      title: session.title,
      model: session.model,
      contextWindow: inspection.knownWindow,
      live: session.live,
      parent: session.parent ?? null,
      predecessor: predecessorAsJson(inspection),
      subagents: session.subagents,
      otherRecords: session.otherRecords,
      issues,
    },
    entries: entries.map((entry, index) => ({
      id: entry.id,
      role: entry.role,
      kind: entryKind(entry),
      tokens: ofEntries[index] ?? 0,
      timestamp: entry.timestamp,
      origin: entry.origin,
    })),
    context: {
      messages: context.messages.map((message, index) => ({
        role: message.role,
        kind: message.kind,
        entryIds: message.entryIds.filter((id) => known.has(id)),
        tokens: context.tokens.ofMessages[index] ?? 0,
        text: messageText(message),
      })),
      tokens: {
        total: context.tokens.total,
        source: context.tokens.source,
        countedSince: context.tokens.countedSince,
        byKind: context.tokens.byKind,
        derivedSystem: context.tokens.derivedSystem,
      },
      inAgent: { total: inspection.contextInAgent.tokens.total, source: inspection.contextInAgent.tokens.source },
    },
    compactions: compactionsAsJson(inspection),
  };
}

/** Active compactions: first the agent's own, then the runs of Strata, each oldest first. */
function compactionsAsJson(inspection: Inspection) {
  const { session, context } = inspection;
  const reread = rereadingsIn(inspection);
  // The sizes are those of the panel's chart, because what agents report may leave out their system prompt.
  const sizes = new Map(
    historyOf(inspection).marks.flatMap((mark) => (mark.by === 'agent' ? [[mark.compaction.id, mark] as const] : [])),
  );
  const agents = session.conversation.agentCompactions.map((compaction) => ({
    by: 'agent',
    strategy: compaction.kind,
    tokensBefore: sizes.get(compaction.id)?.before ?? compaction.tokensBefore,
    tokensAfter: sizes.get(compaction.id)?.after ?? compaction.tokensAfter,
    ...(compaction.isOpaque ? { opaque: true } : {}),
    ...(compaction.byStrata ? { inFork: true } : {}),
    rereading: reread.get(compaction.id) ?? null,
    entryIds: compaction.replacedEntryIds,
  }));
  const own = sizedRuns(inspection).filter(({ run }) => run.active);
  return [...agents, ...own.map((run) => runAsJson(run, context.tokens.calibration))];
}

function runAsJson({ run, figures, inContext, blocks }: ListedRun, calibration: number) {
  const active = blocks.filter(({ place }) => place !== 'undone');
  return {
    seq: run.run,
    by: 'strata',
    strategy: figures.strategies.join(', '),
    tokensBefore: figures.size?.before ?? null,
    tokensAfter: figures.size?.after ?? null,
    entryIds: [...new Set(active.flatMap(({ record }) => record.entryIds))],
    inContext,
    loss: figures.loss && calibratedLoss(figures.loss, calibration),
    tokensSpent: figures.tokensSpent,
    cacheTokensInvalidated: figures.cacheTokensInvalidated,
    blocks: active.map(({ record, tag, place, before, after }) => ({
      seq: record.seq,
      tag,
      strategy: record.strategy,
      isBeneath: place === 'covered',
      tokensBefore: before,
      tokensAfter: after,
      entryIds: record.entryIds,
    })),
  };
}

/** How the window is known if it is not the model's usual one. */
function windowText({ knownWindow, session: { windowShownBy: evidence } }: Inspection): string {
  if (knownWindow === null) return ' (assumed)';
  if (evidence === undefined) return '';
  return evidence.by === 'compaction'
    ? ` (assumed, as the agent compacted by itself at ${evidence.tokens})`
    : ` (as ${evidence.tokens} were reported)`;
}

function inspectionAsText(inspection: Inspection): string {
  const { session, context, contextWindow, journal } = inspection;
  const { total, byKind } = context.tokens;
  const percent = Math.round((total / contextWindow) * 100);
  const window = windowText(inspection);
  const compactions = compactionsAsJson(inspection);
  const otherRecords = Object.entries(session.otherRecords);
  return [
    `${agentNames[session.agent]} · ${session.title ?? session.id}${session.live ? ' · live' : ''}`,
    `${session.model ?? 'unknown model'} · ${session.cwd ?? 'unknown folder'}`,
    ...inAgentLines(inspection),
    `${total} of ${contextWindow}${window} tokens · ${percent} % · ${sourceText(context.tokens)}`,
    ...tokenKinds.filter((kind) => byKind[kind] > 0).map((kind) => kindLine(kind, byKind[kind], total)),
    `${context.messages.length} messages in the context, ${session.conversation.entries.length} entries in the session`,
    ...compactions.map((compaction) => {
      const { strategy, tokensBefore, tokensAfter } = compaction;
      const isRun = 'blocks' in compaction;
      const maker = 'inFork' in compaction ? 'by Strata, as this fork began' : `by the agent (${strategy})`;
      const name = isRun ? `#${compaction.seq} ${strategy}` : maker;
      const more = isRun ? runLines(compaction) : compaction.rereading ? [rereadingLine(compaction.rereading)] : [];
      return [`compaction ${name}: ${tokensBefore ?? '?'} → ${tokensAfter ?? '?'} tokens`, ...more].join('\n    ');
    }),
    ...journal.state.items
      .filter(({ status }) => status === 'active')
      .map(({ kind, text }) => `pinned ${kind}: ${text}`),
    ...predecessorLines(inspection),
    ...(session.parent ? [`started by ${session.parent.file ?? 'another session'}`] : []),
    ...session.subagents.map(({ file, title }) => `subagent: ${title ?? '(no title)'}\n    ${file}`),
    ...(otherRecords.length > 0
      ? [`other records: ${otherRecords.map(([type, n]) => `${type} ${n}`).join(', ')}`]
      : []),
  ].join('\n');
}

/** The blocks of a run that the model reads, and how many it does not read. */
function runLines({ blocks, inContext }: ReturnType<typeof runAsJson>): string[] {
  const uncovered = blocks.filter(({ isBeneath }) => !isBeneath);
  const beneath = inContext?.beneath ?? 0;
  return [
    ...uncovered.map(({ seq, tag, strategy, tokensBefore, tokensAfter, entryIds }) => {
      return `#${seq} ${tag} ${strategy}: ${tokensBefore} → ${tokensAfter} tokens, ${counted(entryIds.length, 'message')}`;
    }),
    ...(beneath === 0 ? [] : [`${counted(beneath, 'block')} inside other blocks, not read by the model`]),
  ];
}

/** `read again after it: 7 of 22 reads (13029 tokens); right before it 1 of 22; 4 more had changed since` */
function rereadingLine({ reads, again, changedSince, usual }: Rereading): string {
  const parts = [
    `read again after it: ${again.calls} of ${reads} reads (${again.tokens} tokens)`,
    usual === null ? 'too few reads to say what is usual' : `right before it ${usual.again} of ${usual.reads}`,
    ...(changedSince.calls === 0 ? [] : [`${changedSince.calls} more had changed since`]),
  ];
  return parts.join('; ');
}

/** The agent's own context, if it differs from the shown one. */
function inAgentLines({ session, context, contextInAgent, contextWindow }: Inspection): string[] {
  if (contextInAgent === context) return [];
  const { total } = contextInAgent.tokens;
  const share = `${Math.round((total / contextWindow) * 100)} %`;
  return [
    `${agentNames[session.agent]} now: ${total} of ${contextWindow} tokens · ${share} · ${sourceText(contextInAgent.tokens)}`,
    'after a fork:',
  ];
}

/** `reported`, `reported, and 2100 counted since`, or `estimated`. */
function sourceText({ source, countedSince }: ContextTokens): string {
  return source === 'reported' && countedSince > 0 ? `reported, and ${countedSince} counted since` : source;
}

/** Names for kinds of tokens that are not kinds of messages. */
const kindNames: Readonly<Partial<Record<TokenKind, string>>> = {
  earlier: 'earlier messages, not in this file',
  unexplained: 'growth that no record explains',
};

function kindLine(kind: TokenKind, tokens: number, total: number): string {
  const name = kindNames[kind] ?? kind;
  return `  ${name.padEnd(12)} ${String(tokens).padStart(8)}  ${Math.round((tokens / Math.max(1, total)) * 100)} %`;
}

function predecessorLines({ session: { predecessor }, relatives }: Inspection): string[] {
  const name = relatives.predecessor ?? predecessor?.title ?? 'another session, which is not here';
  const before = predecessor === undefined ? [] : [`${predecessor.byStrata ? 'fork of' : 'continues'} ${name}`];
  return [...before, ...relatives.forks.map(({ file, title }) => `fork: ${title ?? '(no title)'}\n    ${file}`)];
}

/** `file` is where it is now; null if it is not on this machine. */
function predecessorAsJson({ session: { predecessor }, relatives }: Inspection) {
  if (predecessor === undefined) return null;
  const { id, title, byStrata } = predecessor;
  return { id, file: relatives.predecessor, title, ...(byStrata ? { byStrata } : {}) };
}
