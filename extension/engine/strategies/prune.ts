import { callToRecall } from '../block/omission';
import { type CompactionPlan, type PlannedTurn, replacedMessages } from '../block/plan';
import { type Strategy, writtenBy } from '../block/strategy';
import { type ContextMessage, tokensOf } from '../conversation/context';
import { blockText } from '../conversation/projection';
import { referenceOf } from '../conversation/reference';
import { openerOf, segmentsOf } from '../conversation/turns';
import { toolResultCount } from '../wording/counts';
import { localizable } from '../wording/localizable-text';

/** Defaults: docs/specification/strategies.md, "Prune". The first two are those of OpenCode. */
const defaults = {
  /** Tokens of the newest tool output that stay, among the turns that are old enough. */
  protectTokens: 40000,
  /** Starts automatically only if more than this many tokens can be removed. */
  minimumTokens: 20000,
  /** Number of newest turns, the live one included, whose tool output always stays. */
  protectTurns: 2,
};

/** Minimum counted tokens of a result; a shorter one is hardly longer than the placeholder. */
const shortestPruned = 60;

const takenOut = 'The output of this call was taken out to save room.';
const placeholder = `${takenOut} Call the tool again if it is needed.`;

export const pruneStrategy: Strategy<typeof defaults> = {
  name: 'prune',
  title: localizable('Prune tool output'),
  description: localizable(
    'Takes the text out of old tool results and leaves everything else unchanged, calls included.',
  ),
  defaults,
  keepingNothing: { protectTokens: 0, protectTurns: 1 },
  plan(input, parameters) {
    const turns = prunableTurns(input.messages, parameters);
    const results = replacedMessages({ turns });
    if (results.length === 0) return { kind: input.messages.some(isPrunable) ? 'protected' : 'nothing-to-compact' };
    const tokens = tokensOf(results);
    if (input.rejected.has(results[0]?.key ?? '')) return { kind: 'too-small' };
    if (input.trigger === 'automatic' && tokens <= parameters.minimumTokens) {
      return {
        kind: 'not-triggered',
        reason: localizable(
          '{0} tokens of tool output could go; this starts by itself above {1}.',
          tokens,
          parameters.minimumTokens,
        ),
      };
    }
    return { kind: 'planned', plans: [planOf(turns, parameters, input.recallTool)] };
  },
  write: async () => writtenBy('prune', placeholder),
  withoutModel: true,
};

function isPrunable({ kind, pruned, tokens }: ContextMessage): boolean {
  return kind === 'tool_result' && !pruned && tokens >= shortestPruned;
}

/** The results beyond the protected tokens, counted from the newest result back. */
function prunableTurns(messages: readonly ContextMessage[], parameters: typeof defaults): PlannedTurn[] {
  let output = 0;
  const isBeyond = (message: ContextMessage) => {
    if (message.kind !== 'tool_result' || message.pruned) return false;
    output += message.tokens;
    return output > parameters.protectTokens && isPrunable(message);
  };
  return segmentsOf(messages)
    .slice(0, -Math.max(1, parameters.protectTurns))
    .reverse()
    .map((segment) => ({
      user: openerOf(messages, segment),
      replaced: messages.slice(segment.start, segment.end).reverse().filter(isBeyond).reverse(),
    }))
    .filter((turn) => turn.replaced.length > 0)
    .reverse();
}

function planOf(
  turns: readonly PlannedTurn[],
  parameters: typeof defaults,
  recallTool: string | undefined,
): CompactionPlan {
  const results = replacedMessages({ turns });
  return {
    strategy: pruneStrategy.name,
    parameters,
    summaryType: 'pruned',
    sections: [],
    turns,
    ...(recallTool === undefined ? {} : { resultTexts: textsWithReferences(results, recallTool) }),
    reason: localizable(
      '{0} beyond the newest {1} tokens of tool output.',
      toolResultCount(results.length),
      parameters.protectTokens,
    ),
  };
}

function textsWithReferences(results: readonly ContextMessage[], tool: string): Readonly<Record<string, string>> {
  const texts = results.map((message) => {
    const text = blockText('pruned', `${takenOut} ${callToRecall(tool, referenceOf(message))}`);
    return [message.key, text] as const;
  });
  return Object.fromEntries(texts);
}
