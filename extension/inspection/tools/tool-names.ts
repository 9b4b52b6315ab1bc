/** The names of the tools for agents. */
export const toolNames = {
  context: 'strata_context',
  core: 'strata_core',
  lost: 'strata_lost',
  session: 'strata_session',
  propose: 'strata_propose',
  recall: 'strata_recall',
  compact: 'strata_compact',
} as const;

export type ToolKey = keyof typeof toolNames;
