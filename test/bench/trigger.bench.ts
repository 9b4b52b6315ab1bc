import { describe, it } from 'vitest';
import type { Context, ContextMessage } from '../../extension/engine/conversation/context';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { type Entry, isPrompt } from '../../extension/engine/conversation/entry';
import { project } from '../../extension/engine/conversation/projection';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../extension/engine/conversation/tokens';
import { emptyJournalState, foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import { overlayOf } from '../../extension/engine/journal/overlay';
import { openSession } from '../../extension/sessions/open';
import { compact } from '../builders/run';
import { type Sample, sampleSessions } from '../builders/samples';

/**
 * Measures what an early and a late trigger cost and save. Real sessions are sent again request by request, each with
 * the context that it would have had. Between turns the ladder runs at the trigger; within a turn it runs if a request
 * would not fit. The default leaves half of the window, and the other policies half of the size at which they start.
 */

const policies: readonly { readonly name: string; readonly trigger: number; readonly target: number }[] = [
  { name: '20,000 tokens', trigger: 20_000, target: 10_000 },
  { name: 'half of the window', trigger: 0.5, target: 0.25 },
  { name: '0.85 of the window', trigger: 0.85, target: 0.5 },
];

/** Share of the window that a request may take. The rest is for the answer. */
const mostOfWindow = 0.9;

/** Price of a cached token, as a share of the price of an uncached one. */
const cachedPrice = 0.1;

interface Outcome {
  requests: number;
  runs: number;
  sent: number;
  /** Tokens after the first difference from the previous request. */
  readAnew: number;
  /** Sum over the requests: the share of the entries so far that a request contains word for word. */
  rawShares: number;
}

async function replayed(
  entries: readonly Entry[],
  window: number,
  { trigger, target }: { trigger: number; target: number },
): Promise<Outcome> {
  const ledger = new TokenLedger(countWithO200k);
  const outcome: Outcome = { requests: 0, runs: 0, sent: 0, readAnew: 0, rawShares: 0 };
  let state: JournalState = emptyJournalState;
  let before: readonly ContextMessage[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.role !== 'assistant' || index === 0) continue;
    const conversation = conversationOf(entries.slice(0, index));
    const contextNow = () => project(conversation, overlayOf(state, conversation), ledger);
    let context: Context = contextNow();
    const startsAt = trigger <= 1 ? trigger * window : trigger;
    const isDue = context.tokens.total > mostOfWindow * window;
    const opens = isPrompt(entries[index - 1] as Entry);
    if (isDue || (opens && context.tokens.total >= startsAt)) {
      const parameters = { ladder: { trigger, target } };
      const run = await compact(conversation, {
        ...{ strategy: 'ladder', parameters, state, ledger, contextWindow: window },
        ...(isDue ? { isDue } : {}),
      });
      state = foldJournal(run.records, state);
      context = contextNow();
      if (run.records.length > 0) outcome.runs += 1;
    }
    const { messages } = context;
    const tokens = tokensOf(messages);
    outcome.requests += 1;
    outcome.sent += tokens;
    outcome.readAnew += tokens - tokensOf(messages.slice(0, commonLength(before, messages)));
    outcome.rawShares +=
      messages.filter(({ block, pruned, kind }) => !block && !pruned && kind !== 'core').length / index;
    before = messages;
  }
  return outcome;
}

/** Reported usage refers to the agent's own context, so it is removed. */
function conversationOf(entries: readonly Entry[]): Conversation {
  return { entries, agentContext: entries, agentCompactions: [] };
}

function tokensOf(messages: readonly ContextMessage[]): number {
  return messages.reduce((total, message) => total + message.tokens, 0);
}

function commonLength(before: readonly ContextMessage[], after: readonly ContextMessage[]): number {
  const same = after.findIndex((message, at) => {
    const other = before[at];
    return other === undefined || JSON.stringify(other.parts) !== JSON.stringify(message.parts);
  });
  return same === -1 ? after.length : same;
}

async function entriesOf({ file }: Sample): Promise<Entry[]> {
  const opened = await openSession(file);
  if (opened.kind !== 'opened') return [];
  const said = opened.session.conversation.entries.filter(({ summary }) => !summary);
  return said.map(({ usage: _usage, ...entry }) => entry);
}

/** Sessions are this many windows long, which is enough for several runs of the latest trigger. */
const windowsInSession = 2;

describe.each([32_000, 64_000, 128_000])('in a window of %i tokens', (window) => {
  it('triggers', async () => {
    const ledger = new TokenLedger(countWithO200k);
    const totals = policies.map((policy) => ({
      policy,
      sessions: 0,
      requests: 0,
      runs: 0,
      sent: 0,
      readAnew: 0,
      rawShares: 0,
    }));
    for (const sample of sampleSessions()) {
      const entries = await entriesOf(sample);
      const size = entries.reduce((total, entry) => total + ledger.ofEntry(entry), 0);
      if (size < windowsInSession * window) continue;
      for (const total of totals) {
        const outcome = await replayed(entries, window, total.policy);
        total.sessions += 1;
        for (const key of ['requests', 'runs', 'sent', 'readAnew', 'rawShares'] as const) total[key] += outcome[key];
      }
    }
    for (const { policy, sessions, requests, runs, sent, readAnew, rawShares } of totals) {
      const paid = readAnew + cachedPrice * (sent - readAnew);
      const of = (tokens: number) => Math.round(tokens / Math.max(1, requests));
      console.log(
        `${window} tokens, ${sessions} sessions, ${requests} requests, trigger ${policy.name}: ${runs} runs; a request has` +
          ` ${of(sent)} tokens, ${of(readAnew)} of them read anew, price ${of(paid)};` +
          ` ${Math.round((100 * rawShares) / Math.max(1, requests))} % of the messages word for word`,
      );
    }
  });
});
