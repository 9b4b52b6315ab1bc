import type { RowAction } from '../protocol/messages';

export const commandIds = {
  openSession: 'strata.openSession',
  openSessionFile: 'strata.openSessionFile',
  openNewest: 'strata.openNewest',
  openInEditor: 'strata.openInEditor',
  fork: 'strata.fork',
  branch: 'strata.branch',
  compactInPlace: 'strata.compactInPlace',
  resumeInTerminal: 'strata.resumeInTerminal',
  deleteFork: 'strata.deleteFork',
  compact: 'strata.compact',
  compare: 'strata.compare',
  handOff: 'strata.handOff',
  configureAutoCompact: 'strata.configureAutoCompact',
  chooseSummarizer: 'strata.chooseSummarizer',
  setApiKey: 'strata.setApiKey',
  proposeCore: 'strata.proposeCore',
  copyForgotten: 'strata.copyForgotten',
  undo: 'strata.undo',
  redo: 'strata.redo',
  pin: 'strata.pin',
  showLog: 'strata.showLog',
  cancelCompaction: 'strata.cancelCompaction',
  openWalkthrough: 'strata.openWalkthrough',
  manageConversations: 'strata.manageKept',
  openSettings: 'strata.openSettings',
  setUpAgent: 'strata.setUpAgent',
} as const;

/** Used by the status bar and by buttons of the chat. The palette has the editor's own command for the view. */
export const showInspectorId = 'strata.showInspector';

/** Id of the Sessions view in package.json. */
export const treeViewId = 'strata.sessions';

export const treeCommandIds = {
  open: 'strata.sessions.open',
  openInEditor: 'strata.sessions.openInEditor',
  reveal: 'strata.sessions.reveal',
  copyResume: 'strata.sessions.copyResume',
  resume: 'strata.sessions.resume',
  refresh: 'strata.sessions.refresh',
  group: 'strata.sessions.group',
} as const;

export const storeCommandIds = {
  add: 'strata.stores.add',
  remove: 'strata.stores.remove',
  openConversation: 'strata.stores.openConversation',
  showMore: 'strata.stores.showMore',
} as const;

/** Commands of the buttons in the chat. They take arguments, so they are not in the command palette. */
export const chatCommandIds = {
  applyCompaction: 'strata.chat.applyCompaction',
  undoRun: 'strata.chat.undoRun',
  changeItem: 'strata.chat.changeItem',
  openDraft: 'strata.chat.openDraft',
  editDraft: 'strata.chat.editDraft',
  answerWriter: 'strata.chat.answerWriter',
  show: 'strata.chat.show',
} as const;

export const gatewayCommandId = 'strata.gateway';
export const evaluateCommandId = 'strata.evaluate';
export const installEncoderCommandId = 'strata.installEncoder';

export function rowCommandId(action: RowAction): string {
  return `strata.row.${action}`;
}
