import type { PlanInput } from '../block/plan';
import type { ContextMessage } from '../conversation/context';
import { opensTurn, segmentsOf } from '../conversation/turns';
import { localizable } from '../wording/localizable-text';
import { haloStrategy } from './halo';
import { haloDefaults } from './halo-parameters';
import { handover } from './one-summary';
import { mostOfTarget } from './target';

const defaults = {
  reserveTokens: haloDefaults.reserveTokens,
  /** Codex keeps no replies. Only the live turn stays raw. */
  keepRecentTokens: 0,
  target: haloDefaults.target,
  /** Tokens of the user's newest messages that stay verbatim before the summary. */
  keepUserTokens: 20000,
};

/** Rolling summaries in the manner of Codex (docs/specification/policies.md, "Strategies compared"). */
export const codexStrategy = haloStrategy(
  {
    name: 'codex',
    title: localizable('Codex-style handover'),
    description: localizable(
      'Keeps the system prompt and the person’s newest messages verbatim, and replaces everything else by one rolling summary that is handed to the model as to a new agent.',
    ),
    defaults,
  },
  (input, parameters) => {
    const most = (input.room?.mostTokens ?? Number.POSITIVE_INFINITY) * mostOfTarget;
    const kept = newestOfPerson(input, Math.min(parameters.keepUserTokens, most));
    return {
      details: { introduction: handover, place: 'last' },
      keepSteps: haloDefaults.keepRecentTokens,
      replacedOf: (turn) => turn.filter((message) => !kept.has(message)),
    };
  },
);

function newestOfPerson({ messages }: PlanInput, keepTokens: number): Set<ContextMessage> {
  const kept = new Set<ContextMessage>();
  let tokens = 0;
  const live = segmentsOf(messages).at(-1)?.start ?? 0;
  for (const message of messages.slice(0, live).filter(opensTurn).reverse()) {
    tokens += message.tokens;
    if (tokens > keepTokens) break;
    kept.add(message);
  }
  return kept;
}
