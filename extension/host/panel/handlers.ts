import * as vscode from 'vscode';
import type { ContextMessage } from '../../engine/conversation/context';
import type { Entry } from '../../engine/conversation/entry';
import { defaultStrategy, findStrategy, type StrategyChoice, strategyChoices } from '../../engine/run/prepare/registry';
import type { ComparedStrategy } from '../../inspection/compare';
import { earlierMessages } from '../../inspection/earlier';
import { type Inspection, OperationRefused } from '../../inspection/inspection';
import { earlierRows } from '../../protocol/earlier-rows';
import type { Method } from '../../protocol/messages';
import type { RequestHandlers } from '../../protocol/rpc';
import type { Row, SessionView } from '../../protocol/view';
import { agentSetupHandlers } from '../agents/handlers';
import { askingHandlers } from '../asking/handlers';
import { commandIds } from '../command-ids';
import { confirmExclusion } from '../compaction/exclude';
import { handOff } from '../compaction/hand-off';
import { Rewritings, rewritingHandlers } from '../compaction/rewritings';
import { confirmUndo } from '../compaction/undo';
import { manageConversations, ownConversationsView } from '../conversations/manage-conversations';
import { evaluationHandlers } from '../evaluation/handlers';
import { compactionSize } from '../models/compaction-size';
import { summarizerView } from '../models/summarizer-view';
import { answerWriter, readWriters } from '../models/writer-question';
import { copyForgotten } from '../rescue/actions';
import { readSettings } from '../settings';
import { seqOf } from '../view/compaction-ids';
import { detailOf, openCompaction, outsideContext } from '../view/compactions';
import { findRows } from '../view/find-rows';
import { historyView } from '../view/history';
import { rowDetail, rowImages } from '../view/row-detail';
import { strategyView } from '../view/strategies';
import { busyView } from './busy';
import { openLink } from './open-link';
import { Outdated } from './outdated';
import { comparisonRow, type Previews, previewView, writingCost } from './previews';
import type { PanelServices } from './services';
import type { Travel } from './travel';

export interface HandlerContext extends PanelServices {
  readonly placement: 'view' | 'editor';
  readonly start: () => SessionView | null;
  readonly previews: Previews;
  /** The moment that this webview shows. */
  readonly travel: Travel;
  /** Shows another moment as soon as possible. */
  readonly travelled: () => void;
}

/** Requests that change the session or prepare a change. They are about what is now. */
const onlyNow: readonly Method[] = [
  'preview-compaction',
  'edit-preview',
  'put-back-into-preview',
  'compare-strategy',
  'write-compared',
  'apply-preview',
  'put-back',
  'edit-block',
  'exclude-row',
  'undo',
  'redo',
  'pin',
  'write-again',
  'keep-rewriting',
  'restore-text',
  'propose-core',
  'change-core-item',
  'edit-core-item',
  'order-core-items',
  'hand-off',
  'compact-in-place',
];

/** The handlers of one webview. While it shows the past, it changes nothing. */
export function panelHandlers(context: HandlerContext): RequestHandlers {
  const { inspector, travel } = context;
  const isPast = () => inspector.inspection !== null && travel.pastOf(inspector.inspection) !== null;
  const handlers = sessionHandlers(context);
  const guarded = onlyNow.map((method) => {
    const handle = handlers[method] as (params: unknown) => Promise<unknown>;
    const guard = async (params: unknown) => {
      if (isPast())
        throw new OperationRefused(vscode.l10n.t('This is the past, which cannot be changed. Go back to now first.'));
      return await handle(params);
    };
    return [method, guard];
  });
  return { ...handlers, ...(Object.fromEntries(guarded) as Partial<RequestHandlers>) } as RequestHandlers;
}

function sessionHandlers(context: HandlerContext): RequestHandlers {
  const { inspector, sessions, views, diffs, reveal, forks, evaluations, log, previews, travel, storage } = context;
  const opened = new OpenedBlocks();
  let searches = 0;
  /** Places of the entries of earlier sessions, once they were read along. */
  let earlier: ReadonlyMap<string, Entry['origin']> = new Map();

  /** The session as this webview shows it, which may be as it was. */
  const shown = (): Inspection => {
    const inspection = inspector.required();
    return travel.pastOf(inspection)?.inspection ?? inspection;
  };
  /** Searches the context, then the messages beneath opened blocks. */
  const firstIn = <T>(look: (messages: readonly ContextMessage[], inspection: Inspection) => T | null): T | null => {
    const inspection = shown();
    for (const messages of [inspection.context.messages, ...opened.of(inspection).values()]) {
      const found = look(messages, inspection);
      if (found) return found;
    }
    return null;
  };
  const find = (key: string) => {
    const detail = firstIn((messages, inspection) =>
      rowDetail(key, messages, (entryId) => originOf(inspection, entryId) ?? earlier.get(entryId) ?? null),
    );
    if (!detail) throw new Outdated(vscode.l10n.t('This row is no longer in the context.'));
    return detail;
  };
  const compared = async (strategy: string, prepare: (choice: StrategyChoice) => Promise<ComparedStrategy>) => {
    const choice = findStrategy(strategy);
    if (!choice) throw new Outdated(vscode.l10n.t('This strategy no longer exists.'));
    const inspection = inspector.required();
    const prepared = await prepare(choice);
    const { run } = prepared;
    return comparisonRow(run.records.length > 0 ? previews.remember(inspection, run) : null, prepared);
  };
  const revealOrigin = async (origin: { file: string; line: number } | null) => {
    if (inspector.required().session.store)
      throw new OperationRefused(vscode.l10n.t('This conversation is in a store, which has no file to show.'));
    if (!origin)
      throw new Outdated(vscode.l10n.t('This row stands for several records. Open it to reach each of them.'));
    await reveal.line(origin.file, origin.line);
    return null;
  };

  return {
    start: async () => ({
      sessions: await sessions.read(),
      // No await from here on, so that later changes are notified after this reply.
      view: context.start(),
      strategies: strategyChoices().map(strategyView),
      defaultStrategy: readSettings().strategy || defaultStrategy,
      placement: context.placement,
      summarizer: summarizerView(),
      busy: busyView(inspector),
      opening: inspector.opening,
      evaluation: evaluations.state,
    }),
    'list-sessions': () => sessions.read(),
    'open-session': async ({ file }) => {
      await inspector.open(file);
      return null;
    },
    'read-own-conversations': () => ownConversationsView(storage),
    'manage-own-conversations': async () => {
      await manageConversations(storage, sessions);
      return await ownConversationsView(storage);
    },
    'choose-session-file': () => command(commandIds.openSessionFile),
    'rows-beneath': async ({ compactionId }) => {
      const inspection = shown();
      if (compactionId === earlierRows) {
        const { messages, entries, unread } = await earlierMessages(inspection);
        opened.of(inspection).set(earlierRows, messages);
        earlier = new Map(entries.map(({ id, origin }) => [id, origin]));
        const rows = views.builderOf(inspection).rowsBeneath(inspection, outsideContext(messages, inspection));
        return { rows: beneath(earlierRows, rows), unread };
      }
      const compaction = openCompaction(compactionId, inspection);
      opened.of(inspection).set(compactionId, compaction.replaced);
      const rows = views.builderOf(inspection).rowsBeneath(inspection, compaction);
      return { rows: beneath(compactionId, rows), unread: null };
    },
    'read-row': async ({ key }) => find(rowKeyOf(key)),
    'reveal-row': async ({ key }) => await revealOrigin(find(rowKeyOf(key)).origin),
    'reveal-entry': async ({ entryId }) => await revealOrigin(originOf(inspector.required(), entryId)),
    'reveal-issue': async ({ file, line }) => await revealOrigin({ file, line }),
    'preview-compaction': async ({ strategy, instructions, range, targetTokens }) => {
      const inspection = inspector.required();
      const chosen = summarizerView().label;
      const run = await inspector.prepare(strategy, instructions, 'manual', {
        ...(range === null ? {} : { range }),
        ...(targetTokens === null ? {} : { targetTokens }),
      });
      return { ...previewView(previews.remember(inspection, run), run), chosen };
    },
    'edit-preview': async ({ id, block, text }) => {
      const inspection = inspector.required();
      const run = inspection.editPrepared(previews.read(inspection, id), block, text);
      return previewView(previews.remember(inspection, run), run);
    },
    'put-back-into-preview': async ({ id, block, texts }) => {
      const inspection = inspector.required();
      const run = inspection.putBackIntoPrepared(previews.read(inspection, id), block, texts);
      return previewView(previews.remember(inspection, run), run);
    },
    'compare-strategy': ({ strategy }) => compared(strategy, (choice) => inspector.compare(choice)),
    'writing-cost': async ({ id }) =>
      writingCost(previews.read(inspector.required(), id), await inspector.models.price()),
    'write-compared': ({ strategy }) => compared(strategy, (choice) => inspector.writeCompared(choice)),
    'read-preview': async ({ id }) => previewView(id, previews.read(inspector.required(), id)),
    'apply-preview': async ({ id }) => {
      await inspector.apply(previews.read(inspector.required(), id));
      previews.forget(id);
      return null;
    },
    'cancel-compaction': async () => {
      inspector.busy?.cancel();
      return null;
    },
    'read-compaction': async ({ id }) => detailOf(id, inspector.required()),
    'put-back': async ({ id, texts }) => {
      await inspector.change((inspection) => inspection.putBack(seqOf(id), texts));
      return null;
    },
    'edit-block': async ({ id, text, before }) => {
      await inspector.change((inspection) => inspection.editBlock(seqOf(id), text, before));
      return null;
    },
    'exclude-row': async ({ key }) => {
      const { entryId } = find(rowKeyOf(key));
      if (entryId === null)
        throw new OperationRefused(vscode.l10n.t('This row is not a message that can be excluded.'));
      await confirmExclusion(inspector, entryId, rowKeyOf(key));
      return null;
    },
    'read-history': async () => historyView(inspector.required()),
    travel: async ({ moment }) => {
      travel.to(inspector.required(), moment);
      context.travelled();
      return null;
    },
    'find-rows': async ({ words }) => {
      searches += 1;
      const search = searches;
      const { context, session } = shown();
      const { messages } = context;
      const { conversation } = session;
      return { keys: await findRows(words, { messages, conversation }, () => search === searches) };
    },
    'read-images': async ({ key }) => firstIn((messages) => rowImages(rowKeyOf(key), messages)) ?? [],
    'open-link': async ({ url }) => {
      await openLink(url);
      return null;
    },
    'open-diff': async ({ id }) => {
      const title = vscode.l10n.t('Compaction {0}: before and after', id.replace(/^\w+:/, '#'));
      await diffs.show(inspector.required(), id, title);
      return null;
    },
    undo: async (order) => {
      await confirmUndo(inspector, order);
      return null;
    },
    redo: async () => {
      await inspector.change((inspection) => inspection.redo());
      return null;
    },
    pin: async ({ kind, text, rowKey }) => {
      const entryId = rowKey === null ? null : find(rowKeyOf(rowKey)).entryId;
      await inspector.change((inspection) => inspection.pin(kind, text, entryId));
      return null;
    },
    'copy-forgotten': async ({ without }) => {
      await copyForgotten(inspector, without);
      return null;
    },
    'propose-core': async () => ({ added: await inspector.propose() }),
    'toggle-auto-compact': () => command(commandIds.configureAutoCompact, 'toggle'),
    'choose-summarizer': () => command(commandIds.chooseSummarizer),
    'read-writers': async () => await readWriters(inspector.required().session.agent, await compactionSize(inspector)),
    'answer-writer': async ({ id }) => ({
      isAnswered: await answerWriter(inspector.required().session.agent, id, {
        models: inspector.models,
        size: () => compactionSize(inspector),
      }),
    }),
    'hand-off': async ({ goal }) => {
      await handOff(inspector, log, goal);
      return null;
    },
    'change-core-item': async ({ id, status }) => {
      await inspector.change((inspection) => inspection.changeItem(id, status));
      return null;
    },
    'edit-core-item': async ({ id, text, rationale }) => {
      await inspector.change((inspection) => inspection.editItem(id, text, rationale));
      return null;
    },
    'order-core-items': async ({ ids }) => {
      await inspector.change((inspection) => inspection.orderItems(ids));
      return null;
    },
    fork: async ({ beforeRow }) => {
      const before = beforeRow === null ? null : find(rowKeyOf(beforeRow)).entryId;
      await forks.fork(shown(), before ?? undefined);
      return null;
    },
    'fork-whole': async () => {
      await forks.forkWhole();
      return null;
    },
    'fork-and-resume': async () => {
      await forks.forkAndResume(shown());
      return null;
    },
    'compact-in-place': () => command(commandIds.compactInPlace),
    resume: () => command(commandIds.resumeInTerminal),
    'delete-fork': () => command(commandIds.deleteFork),
    'open-in-editor': () => command(commandIds.openInEditor),
    ...askingHandlers(inspector, previews),
    ...rewritingHandlers(inspector, diffs, new Rewritings()),
    ...evaluationHandlers(evaluations),
    ...agentSetupHandlers(context.agentSetups),
  };
}

/** Messages beneath the blocks opened in this panel, so that their rows can be read. */
class OpenedBlocks {
  readonly #ofInspection = new WeakMap<Inspection, Map<string, readonly ContextMessage[]>>();

  of(inspection: Inspection): Map<string, readonly ContextMessage[]> {
    const opened = this.#ofInspection.get(inspection) ?? new Map<string, readonly ContextMessage[]>();
    this.#ofInspection.set(inspection, opened);
    return opened;
  }
}

async function command(id: string, argument?: string): Promise<null> {
  await vscode.commands.executeCommand(id, argument);
  return null;
}

function originOf({ session }: Inspection, entryId: string): { file: string; line: number } | null {
  const origin = session.conversation.entries.find((entry) => entry.id === entryId)?.origin;
  // A database has no lines to show in an editor.
  return origin === undefined || origin.line === 0 ? null : origin;
}

/** Separates the compaction's id in row keys: the same entry can be beneath two opened compactions. */
const beneathMark = '↓';

function beneath(compactionId: string, rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, key: `${compactionId}${beneathMark}${row.key}` }));
}

function rowKeyOf(key: string): string {
  return key.slice(key.lastIndexOf(beneathMark) + 1);
}
