import * as vscode from 'vscode';
import { type PinKind, pinKinds } from '../engine/core/core';
import type { SessionListItem } from '../protocol/view';
import { sessionsIn } from '../sessions/sessions-in';
import { commandIds, showInspectorId } from './command-ids';
import { toggleAutoCompact } from './compaction/auto-compact';
import { selectAutoCompact } from './compaction/auto-compact-selector';
import type { Forks } from './compaction/forks';
import { handOff } from './compaction/hand-off';
import { confirmUndo } from './compaction/undo';
import { manageConversations } from './conversations/manage-conversations';
import { registerHandlers } from './failures/telling-failures';
import type { Inspector } from './inspector';
import { chooseSummarizer } from './models/choose-summarizer';
import { compactionSize } from './models/compaction-size';
import { openNewest } from './opening/open-newest';
import type { SessionList } from './opening/session-list';
import type { Placements } from './panel/placements';
import { tellCopied } from './rescue/actions';
import { readSettings } from './settings';
import { effectSentences } from './view/effect-sentences';
import { ageText, fillShare, placeParts, titleText } from './view/session-text';

/** Id of the walkthrough in package.json. */
const walkthroughId = 'strata.start';

interface CommandServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly sessions: SessionList;
  readonly forks: Forks;
  readonly log: vscode.LogOutputChannel;
  /** Folder with Strata's own conversations and journals. */
  readonly storage: string;
  /** `<publisher>.<name>` of this extension. */
  readonly extensionId: string;
}

export function registerCommands(services: CommandServices): vscode.Disposable {
  const { inspector, placements, forks, log, extensionId } = services;
  type Id = (typeof commandIds)[keyof typeof commandIds] | typeof showInspectorId;
  const handlers: Record<Id, (argument?: unknown) => unknown> = {
    [commandIds.openSession]: () => openSession(services),
    [commandIds.openSessionFile]: (argument) => openSessionFile(services, argument),
    [commandIds.openNewest]: () => openNewest(services),
    [commandIds.openInEditor]: () => placements.openInEditor(),
    [commandIds.fork]: () => forks.fork(),
    [commandIds.branch]: () => forks.branch(),
    [commandIds.compactInPlace]: () => forks.compactInPlace(),
    [commandIds.resumeInTerminal]: () => forks.resume(),
    [commandIds.deleteFork]: () => forks.delete(),
    [commandIds.compact]: () => placements.tell('show', { what: 'compact' }),
    [commandIds.compare]: () => placements.tell('show', { what: 'compare' }),
    [commandIds.handOff]: () => handOff(inspector, log, ''),
    [commandIds.configureAutoCompact]: (argument) =>
      argument === 'toggle'
        ? toggleAutoCompact()
        : selectAutoCompact(inspector.inspection?.contextWindow ?? readSettings().fallbackContextWindow),
    [commandIds.chooseSummarizer]: () => chooseSummarizer(inspector.models, compactionSize(inspector)),
    [commandIds.setApiKey]: () => inspector.models.apiKey.set(),
    [commandIds.proposeCore]: () => proposeCore(services),
    [commandIds.copyForgotten]: () => tellCopied(inspector),
    [commandIds.undo]: () => confirmUndo(inspector),
    [commandIds.redo]: () => inspector.change((inspection) => inspection.redo()),
    [commandIds.pin]: (argument) => pin(services, argument),
    [commandIds.showLog]: () => log.show(),
    [showInspectorId]: () => placements.show(),
    [commandIds.cancelCompaction]: () => inspector.busy?.cancel(),
    [commandIds.openWalkthrough]: () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#${walkthroughId}`, false),
    [commandIds.manageConversations]: () => manageConversations(services.storage, services.sessions),
    [commandIds.setUpAgent]: () => placements.tell('show', { what: 'agents' }),
    [commandIds.openSettings]: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
  };
  return registerHandlers(log, handlers);
}

async function openSession({ inspector, placements, sessions }: CommandServices): Promise<void> {
  const picks = sessions.read().then((items) => items.map(sessionPick));
  const chosen = await vscode.window.showQuickPick(picks, {
    placeHolder: vscode.l10n.t('Session to inspect'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  await inspector.open(chosen.file);
  await placements.show();
}

function sessionPick(item: SessionListItem) {
  const { live, agentName, file, fill, isFork } = item;
  return {
    label: `${live ? '$(circle-filled) ' : ''}${isFork ? '$(repo-forked) ' : ''}${titleText(item)}`,
    description: [...(fill ? [fillShare(fill)] : []), ageText(item, Date.now())].join(' · '),
    detail: [agentName, ...placeParts(item)].join(' · '),
    file,
  };
}

async function openSessionFile({ inspector, placements }: CommandServices, argument: unknown): Promise<void> {
  const file = argument instanceof vscode.Uri ? argument : await chooseFile();
  const address = file && (await chooseSessionIn(file.fsPath));
  if (address === undefined) return;
  await inspector.open(address);
  await placements.show();
}

/** Asks which session of a database to open. Any other file is its own address. */
async function chooseSessionIn(file: string): Promise<string | undefined> {
  const sessions = await sessionsIn(file);
  if (sessions.length < 2) return sessions[0]?.address ?? file;
  const picks = sessions.map(({ address, title, cwd, modified }) => ({
    label: titleText({ title }),
    description: modified === null ? '' : new Date(modified).toLocaleString(),
    detail: cwd ?? '',
    address,
  }));
  const title = vscode.l10n.t('Session to inspect');
  return (await vscode.window.showQuickPick(picks, { title, matchOnDetail: true }))?.address;
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open a session file of a coding agent'),
      filters: { [vscode.l10n.t('Session files')]: ['jsonl', 'json', 'db'], [vscode.l10n.t('All files')]: ['*'] },
    })) ?? [];
  return file;
}

async function proposeCore({ inspector, placements }: CommandServices): Promise<void> {
  await inspector.propose();
  await placements.tell('show', { what: 'core' });
}

/** @param wanted the kind, for key bindings and links; otherwise a person is asked. */
async function pin({ inspector }: CommandServices, wanted: unknown): Promise<void> {
  const { pins } = effectSentences(inspector.required());
  const kind = pinKinds.find((one) => one === wanted) ?? (await choosePinKind());
  if (kind === undefined) return;
  const text = await vscode.window.showInputBox({
    title: pinTitles[kind](),
    value: selectedText(),
    // Keeps the typed text while a person looks at the timeline.
    ignoreFocusOut: true,
    prompt: pins,
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter the text to pin.') : undefined),
  });
  if (text !== undefined) await inspector.change((inspection) => inspection.coreEditor.pin(kind, text, null));
}

async function choosePinKind(): Promise<PinKind | undefined> {
  const picks = pinKinds.map((pinKind) => ({ label: pinTitles[pinKind](), pinKind }));
  return (await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('What to pin') }))?.pinKind;
}

const pinTitles: Readonly<Record<PinKind, () => string>> = {
  goal: () => vscode.l10n.t('Pin the current goal'),
  constraint: () => vscode.l10n.t('Pin a constraint'),
  decision: () => vscode.l10n.t('Pin a decision'),
};

/** The selection in the active editor, as the default text to pin. */
function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : '';
}
