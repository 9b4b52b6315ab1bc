/** Commands behind the buttons of the chat. They take arguments, so they are not in the command palette. */
export const chatCommandIds = {
  applyCompaction: 'strata.chat.applyCompaction',
  undoRun: 'strata.chat.undoRun',
  changeItem: 'strata.chat.changeItem',
  openDraft: 'strata.chat.openDraft',
  editDraft: 'strata.chat.editDraft',
  answerWriter: 'strata.chat.answerWriter',
  show: 'strata.chat.show',
} as const;
