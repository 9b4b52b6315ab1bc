/** Id of the view in package.json. */
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
