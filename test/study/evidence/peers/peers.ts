import {
  type Entry,
  isPrompt,
  type Part,
  toolCalls,
  toolResults,
} from '../../../../extension/engine/conversation/entry';

/**
 * Published algorithms that reduce a context without a model, in our own words. Each has one number that determines how
 * much it keeps; at equal tokens, the largest that fits is used.
 */
export interface Peer {
  readonly name: string;
  /** Address of the description of the algorithm. */
  readonly source: string;
  /** The largest number that has an effect. */
  readonly most: (entries: readonly Entry[]) => number;
  /** The entries that it leaves, oldest first. */
  readonly leave: (entries: readonly Entry[], kept: number) => Entry[];
}

const outputsIn = (entries: readonly Entry[]) => entries.filter(({ parts }) => toolResults(parts).length > 0).length;
const entriesIn = (entries: readonly Entry[]) => entries.length;

const cleared = '[Old tool result content cleared]';

function withoutOutput(entry: Entry, text: string | ((output: string) => string)): Entry {
  const shorter = (output: string) => (typeof text === 'string' ? text : text(output));
  const parts = entry.parts.map(
    (part): Part => (part.type === 'tool_result' ? { ...part, text: shorter(part.text) } : part),
  );
  return { ...entry, parts };
}

/** Replaces all but the newest `kept` tool results by a text. */
function maskOutputs(entries: readonly Entry[], kept: number, text: Parameters<typeof withoutOutput>[1]): Entry[] {
  let left = outputsIn(entries) - kept;
  return entries.map((entry) => {
    if (toolResults(entry.parts).length === 0) return entry;
    left -= 1;
    return left >= 0 ? withoutOutput(entry, text) : entry;
  });
}

const observationMasking: Peer = {
  name: 'observation masking',
  source: 'https://arxiv.org/abs/2508.21433',
  most: outputsIn,
  leave: (entries, kept) =>
    maskOutputs(entries, kept, (output) => `Old environment output: (${output.split('\n').length} lines omitted)`),
};

const clearToolUses: Peer = {
  name: 'clearing of tool uses',
  source: 'https://platform.claude.com/docs/en/build-with-claude/context-editing',
  most: outputsIn,
  leave: (entries, kept) => maskOutputs(entries, kept, cleared),
};

/** Keeps the newest messages, beginning with a message of the person. */
const trimMessages: Peer = {
  name: 'trimMessages',
  source: 'https://docs.langchain.com/oss/javascript/langchain/short-term-memory',
  most: entriesIn,
  leave: (entries, kept) => {
    const newest = entries.slice(entries.length - kept);
    const first = newest.findIndex(isPrompt);
    return first < 0 ? [] : newest.slice(first);
  },
};

/**
 * Removes reasoning, and calls with their results outside the newest messages. Messages without content are removed
 * too.
 */
const pruneMessages: Peer = {
  name: 'pruneMessages',
  source: 'https://ai-sdk.dev/docs/reference/ai-sdk-ui/prune-messages',
  most: entriesIn,
  leave: (entries, kept) =>
    entries.flatMap((entry, at) => {
      const isNewest = at >= entries.length - kept;
      const parts = entry.parts.filter(
        ({ type }) => type !== 'reasoning' && (isNewest || (type !== 'tool_call' && type !== 'tool_result')),
      );
      return parts.length === 0 ? [] : [{ ...entry, parts }];
    }),
};

const openHands = 'https://docs.openhands.dev/sdk/guides/context-condenser';

const recentEvents: Peer = {
  name: 'recent events',
  source: openHands,
  most: entriesIn,
  leave: (entries, kept) =>
    entries.length <= kept ? [...entries] : [...entries.slice(0, 1), ...entries.slice(entries.length - kept)],
};

/** As soon as there are more than `kept` events, keeps the first one and the newer half. */
const amortizedForgetting: Peer = {
  name: 'amortized forgetting',
  source: openHands,
  most: entriesIn,
  leave: (entries, kept) => {
    const half = Math.floor(kept / 2);
    if (half < 2) return entries.slice(0, 1);
    let view: Entry[] = [];
    for (const entry of entries) {
      view.push(entry);
      if (view.length > kept) view = [...view.slice(0, 1), ...view.slice(view.length - half + 1)];
    }
    return view;
  },
};

/** Replaces results outside the newest events. */
const maskedWindow: Peer = {
  name: 'observations outside a window',
  source: openHands,
  most: entriesIn,
  leave: (entries, kept) =>
    entries.map((entry, at) => (at >= entries.length - kept ? entry : withoutOutput(entry, '<MASKED>'))),
};

/** In tokens of four characters. */
const outputTokens = ({ parts }: Entry) =>
  toolResults(parts).reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);

const opencodePrune: Peer = {
  name: 'prune of OpenCode',
  source: 'https://opencode.ai/docs/config',
  most: (entries) => entries.reduce((sum, entry) => sum + outputTokens(entry), 0),
  leave: (entries, kept) => {
    let [newer, turns] = [0, 0];
    return [...entries]
      .reverse()
      .map((entry) => {
        if (isPrompt(entry)) turns += 1;
        if (turns < 1) return entry;
        newer += outputTokens(entry);
        return newer > kept ? withoutOutput(entry, cleared) : entry;
      })
      .reverse();
  },
};

/**
 * Keeps only the newest result of a call that was made several times, and removes the arguments of failed calls. It has
 * no number.
 */
const dynamicPruning: Peer = {
  name: 'dynamic context pruning',
  source: 'https://github.com/Opencode-DCP/opencode-dynamic-context-pruning',
  most: () => 0,
  leave: (entries) => {
    const callOf = new Map(entries.flatMap(({ parts }) => toolCalls(parts)).map((call) => [call.callId, call]));
    const nameOf = (callId: string) => {
      const call = callOf.get(callId);
      return call ? `${call.name} ${JSON.stringify(call.input)}` : callId;
    };
    const results = entries.flatMap(({ parts }) => toolResults(parts));
    const newest = new Map(results.map(({ callId }) => [nameOf(callId), callId]));
    const failed = new Set(results.filter(({ isError }) => isError).map(({ callId }) => callId));
    return entries.map((entry) => ({
      ...entry,
      parts: entry.parts.map((part): Part => {
        if (part.type === 'tool_result' && newest.get(nameOf(part.callId)) !== part.callId)
          return { ...part, text: '[Output removed: the same call was made again]' };
        if (part.type === 'tool_call' && failed.has(part.callId)) return { ...part, input: {} };
        return part;
      }),
    }));
  },
};

export const peers: readonly Peer[] = [
  observationMasking,
  clearToolUses,
  trimMessages,
  pruneMessages,
  recentEvents,
  amortizedForgetting,
  maskedWindow,
  opencodePrune,
  dynamicPruning,
];
