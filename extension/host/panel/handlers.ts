import * as vscode from 'vscode';
import { neverAborted } from '../../conversations/never-aborted';
import {
  defaultStrategy,
  findStrategy,
  isUsual,
  type StrategyChoice,
  strategyChoices,
} from '../../engine/run/prepare/registry';
import type { ComparedStrategy } from '../../inspection/compare';
import { OperationRefused } from '../../inspection/inspection';
import type { Method } from '../../protocol/messages';
import type { RequestHandlers } from '../../protocol/rpc';
import type { SessionView, StrategyView } from '../../protocol/view';
import { agentSetupHandlers } from '../agents/agent-setups';
import { askingHandlers } from '../asking/handlers';
import { commandIds } from '../command-ids';
import { confirmExclusion } from '../compaction/exclude';
import { handOff } from '../compaction/hand-off';
import { rewritingHandlers } from '../compaction/rewritings';
import { confirmUndo } from '../compaction/undo';
import { manageConversations, ownConversationsView } from '../conversations/manage-conversations';
import { evaluationHandlers } from '../evaluation/handlers';
import { translated } from '../failures/failure-text';
import { compactionSize, previewPatience } from '../models/compaction-size';
import { summarizerView } from '../models/summarizer-view';
import { answerWriter, readWriters } from '../models/writer-question';
import { copyForgotten } from '../rescue/actions';
import { readSettings } from '../settings';
import { detailOf } from '../view/compaction-detail';
import { seqOf } from '../view/compaction-ids';
import { historyView } from '../view/history';
import { busyView } from './busy';
import { openLink } from './open-link';
import { comparisonRow, type Previews, previewView, writingCost } from './previews';
import { Outdated } from './recent-items';
import { rowHandlers, rowKeyOf, ShownRows } from './rows';
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
  const { inspector, sessions, diffs, forks, evaluations, log, previews, travel, storage } = context;
  const rows = new ShownRows(context);
  const compared = async (strategy: string, prepare: (choice: StrategyChoice) => Promise<ComparedStrategy>) => {
    const inspection = inspector.required();
    const prepared = await prepare(choiceNamed(strategy));
    const { run } = prepared;
    return comparisonRow(run.records.length > 0 ? previews.remember(inspection, run) : null, prepared);
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
    'open-session': ({ file }) => inspector.open(file),
    'read-own-conversations': () => ownConversationsView(storage),
    'manage-own-conversations': async () => {
      await manageConversations(storage, sessions);
      return await ownConversationsView(storage);
    },
    'choose-session-file': () => command(commandIds.openSessionFile),
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
    'writing-cost': async ({ strategy }) =>
      await writingCost(inspector.required(), choiceNamed(strategy), {
        price: await inspector.models.price(),
        parameters: readSettings().parameters,
        signal: neverAborted(),
      }),
    'write-compared': ({ strategy }) => compared(strategy, (choice) => inspector.writeCompared(choice)),
    'read-preview': async ({ id }) => previewView(id, previews.read(inspector.required(), id)),
    'apply-preview': async ({ id }) => {
      await inspector.apply(previews.read(inspector.required(), id));
      previews.forget(id);
    },
    'cancel-compaction': async () => {
      inspector.busy?.cancel();
    },
    'read-compaction': async ({ id }) => detailOf(id, inspector.required()),
    'put-back': async ({ id, texts }) => {
      await inspector.change((inspection) => inspection.blockEditor.putBack(seqOf(id), texts));
    },
    'edit-block': async ({ id, text, before }) => {
      await inspector.change((inspection) => inspection.blockEditor.edit(seqOf(id), text, before));
    },
    'exclude-row': async ({ key }) => {
      const { entryId } = rows.find(key);
      if (entryId === null)
        throw new OperationRefused(vscode.l10n.t('This row is not a message that can be excluded.'));
      await confirmExclusion(inspector, entryId, rowKeyOf(key));
    },
    'read-history': async () => historyView(inspector.required()),
    travel: async ({ moment }) => {
      travel.to(inspector.required(), moment);
      context.travelled();
    },
    'open-link': ({ url }) => openLink(url),
    'open-diff': async ({ id }) => {
      const title = vscode.l10n.t('Compaction {0}: before and after', id.replace(/^\w+:/, '#'));
      await diffs.show(inspector.required(), id, title);
    },
    undo: (order) => confirmUndo(inspector, order),
    redo: async () => {
      await inspector.change((inspection) => inspection.redo());
    },
    pin: async ({ kind, text, rowKey }) => {
      const entryId = rowKey === null ? null : rows.find(rowKey).entryId;
      await inspector.change((inspection) => inspection.coreEditor.pin(kind, text, entryId));
    },
    'copy-forgotten': ({ without }) => copyForgotten(inspector, without),
    'propose-core': async () => ({ added: await inspector.propose() }),
    'toggle-auto-compact': () => command(commandIds.configureAutoCompact, 'toggle'),
    'choose-summarizer': () => command(commandIds.chooseSummarizer),
    'read-writers': async () => {
      const { agent } = inspector.required().session;
      return await readWriters(agent, await compactionSize(inspector, { patience: previewPatience }));
    },
    'answer-writer': async ({ id }) => ({
      isAnswered: await answerWriter(inspector.required().session.agent, id, {
        models: inspector.models,
        size: () => compactionSize(inspector),
      }),
    }),
    'hand-off': ({ goal }) => handOff(inspector, log, goal),
    'change-core-item': ({ id, status }) => inspector.change((inspection) => inspection.coreEditor.change(id, status)),
    'edit-core-item': ({ id, text, rationale }) =>
      inspector.change((inspection) => inspection.coreEditor.edit(id, text, rationale)),
    'order-core-items': ({ ids }) => inspector.change((inspection) => inspection.coreEditor.order(ids)),
    fork: async ({ beforeRow }) => {
      const before = beforeRow === null ? null : rows.find(beforeRow).entryId;
      await forks.fork(rows.shown(), before === null ? {} : { before });
    },
    'fork-whole': () => forks.fork(inspector.required(), { mends: true }),
    'fork-and-resume': () => forks.forkAndResume(rows.shown()),
    'compact-in-place': () => command(commandIds.compactInPlace),
    resume: () => command(commandIds.resumeInTerminal),
    'delete-fork': () => command(commandIds.deleteFork),
    'open-in-editor': () => command(commandIds.openInEditor),
    ...rowHandlers(context, rows),
    ...askingHandlers(inspector, previews),
    ...rewritingHandlers(inspector, diffs),
    ...evaluationHandlers(evaluations),
    ...agentSetupHandlers(context.agentSetups),
  };
}

async function command(id: string, argument?: string): Promise<void> {
  await vscode.commands.executeCommand(id, argument);
}

function choiceNamed(strategy: string): StrategyChoice {
  const choice = findStrategy(strategy);
  if (!choice) throw new Outdated(vscode.l10n.t('This strategy no longer exists.'));
  return choice;
}

function strategyView(choice: StrategyChoice): StrategyView {
  const { name, group, title, description } = choice;
  return {
    ...{ name, group, title: translated(title), description: translated(description) },
    ...(isUsual(choice) ? { usual: true } : {}),
  };
}
