import * as vscode from 'vscode';
import type { CoreItemStatus } from '../../engine/core/core';
import type { Notifications } from '../../protocol/messages';
import type { AgentId } from '../../sessions/session';
import { chatCommandIds } from '../command-ids';
import { runLine } from '../compaction/run-notice';
import { offer, openDraft, openNewChat } from '../dialogs';
import { registerHandlers, tellingFailures } from '../failures/telling-failures';
import { compactionSize } from '../models/compaction-size';
import { readModelSettings } from '../models/model-settings';
import { answerWriter } from '../models/writer-question';
import type { Placements } from '../panel/placements';
import type { ChatServices } from './chat-services';

type Shown = Notifications['show']['what'];

/** Commands of the buttons in the chat. */
export function registerChatButtons(services: ChatServices, placements: Placements): vscode.Disposable {
  return registerHandlers(services.log, buttonHandlers(services, placements));
}

type Handlers = Record<(typeof chatCommandIds)[keyof typeof chatCommandIds], (...args: never[]) => Promise<unknown>>;

function buttonHandlers(services: ChatServices, placements: Placements): Handlers {
  const { conversations, inspector, prepared } = services;
  const show = async (id: string, what: Shown) => {
    const { file } = (await conversations.open(id)).workbench.session;
    if (inspector.inspection?.session.file !== file) await inspector.open(file);
    await placements.tell('show', { what });
  };
  return {
    [chatCommandIds.show]: show,
    [chatCommandIds.applyCompaction]: async (preview: string) => {
      const { conversation, run } = await prepared.apply(preview);
      await inspector.refresh();
      const [first] = run.records;
      const offer = () => offerUndo(services, conversation.id, first?.run, runLine(run));
      // Not awaited: a notification stays until it is dismissed.
      void tellingFailures(services.log, chatCommandIds.undoRun, offer);
    },
    [chatCommandIds.undoRun]: (id: string, run: number) => undoRun(services, id, run),
    [chatCommandIds.changeItem]: async (id: string, item: string, status: CoreItemStatus) => {
      const { workbench } = await conversations.open(id);
      await workbench.coreEditor.change(item, status);
      await inspector.refresh();
    },
    [chatCommandIds.answerWriter]: async (agent: AgentId, offer: string, instructions: string) => {
      const { models } = services;
      if (!(await answerWriter(agent, offer, { models, size: () => compactionSize(inspector) }))) return;
      // The preview that asked was made without a model.
      if (readModelSettings().kind === 'none') {
        void vscode.window.showInformationMessage(vscode.l10n.t('Summaries are written without a model.'));
        return;
      }
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `@strata /compact ${instructions}`.trim(),
      });
    },
    [chatCommandIds.openDraft]: (draft: string) => openNewChat(`@strata ${draft}`),
    [chatCommandIds.editDraft]: (content: string) => openDraft(content),
  };
}

async function undoRun({ conversations, inspector }: ChatServices, id: string, run: number): Promise<void> {
  const { workbench } = await conversations.open(id);
  await workbench.undo(run);
  await inspector.refresh();
  void vscode.window.showInformationMessage(vscode.l10n.t('The compaction is undone.'));
}

async function offerUndo(services: ChatServices, id: string, run: number | undefined, line: string): Promise<void> {
  await offer(vscode.l10n.t('Compacted: {0}.', line), {
    [vscode.l10n.t('Undo')]: () => run !== undefined && undoRun(services, id, run),
  });
}
