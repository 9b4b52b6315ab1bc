import type { Conversation } from '../../engine/conversation/conversation';

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

/** The tool by which an agent retrieves what compactions leave out, if its session shows that it has the tool. */
export function offeredRecallTool({ agentContext }: Conversation): string | undefined {
  const isOffered = agentContext.some(({ parts }) =>
    parts.some(
      (part) =>
        part.type === 'tool_definitions' &&
        // Agents put the server's name in front of the tool's name.
        part.names.some((name) => name.endsWith(toolNames.recall)),
    ),
  );
  return isOffered ? toolNames.recall : undefined;
}
