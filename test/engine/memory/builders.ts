import type { Completion, Embedder, LanguageModel, Prompt } from '../../../extension/engine/block/language-model';
import type { Memory, Note, Observation } from '../../../extension/engine/block/memory';
import type { CompactionPlan, Parameters } from '../../../extension/engine/block/plan';
import type { Strategy, WriteOrder, WrittenBlock } from '../../../extension/engine/block/strategy';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { buildRequest, entriesById } from '../../../extension/engine/compaction/request';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import type { JournalState } from '../../../extension/engine/journal/journal-state';
import { overlayOf } from '../../../extension/engine/journal/overlay';
import { findStrategy, registerStrategy } from '../../../extension/engine/run/prepare/registry';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { contextOf, emptyState } from '../../builders/run';

/**
 * Vectors made from the words of a text: texts with common words are close to each other. It counts the requested
 * texts.
 */
export class WordEmbedder implements Embedder {
  readonly name = 'words';
  readonly asked: string[] = [];

  async embed(texts: readonly string[]): Promise<number[][]> {
    this.asked.push(...texts);
    return texts.map(wordVector);
  }
}

function wordVector(text: string): number[] {
  const vector = new Array<number>(96).fill(0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % vector.length;
    vector[hash] = (vector[hash] ?? 0) + 1;
  }
  return vector;
}

/** A model in this process: `answer` returns its reply, or throws. It stores the prompts. */
export class ScriptedModel implements LanguageModel {
  readonly name = 'scripted';
  readonly model = 'scripted-1';
  readonly concurrency = 2;
  readonly prompts: Prompt[] = [];

  constructor(readonly answer: (prompt: Prompt, at: number) => string) {}

  async complete(prompt: Prompt): Promise<Completion> {
    this.prompts.push(prompt);
    return { text: this.answer(prompt, this.prompts.length - 1), tokens: { input: 100, output: 10 }, isCut: false };
  }
}

/** Recognizes which of the four questions a prompt asks, by the requested form of the answer. */
export function askedFor({ user }: Prompt): 'note' | 'evolution' | 'observation' | 'summary' {
  if (user.includes('"should_evolve"')) return 'evolution';
  if (user.includes('"next_steps"')) return 'summary';
  return user.includes('"files_modified"') ? 'observation' : 'note';
}

export const answers = {
  note: JSON.stringify({
    keywords: ['loader', 'keys', 'toml'],
    context: 'What the loader does.',
    tags: ['a', 'b', 'c'],
  }),
  noEvolution: JSON.stringify({ should_evolve: false }),
  observation: JSON.stringify({
    observation: {
      type: 'bugfix',
      title: 'The loader keeps its keys',
      subtitle: 'It lost them.',
      facts: ['src/loader.ts keeps keys.'],
      narrative: 'The loader was fixed.',
      concepts: ['problem-solution', 'what-changed'],
      files_read: [],
      files_modified: ['src/loader.ts'],
    },
  }),
  nothing: JSON.stringify({ observation: null }),
  summary: JSON.stringify({ request: 'Fix the loader', learned: 'It drops keys', next_steps: 'None' }),
};

/** A model that answers every question correctly. */
export function goodModel(changes: Partial<Record<ReturnType<typeof askedFor>, string>> = {}): ScriptedModel {
  return new ScriptedModel((prompt) => {
    const asked = askedFor(prompt);
    return changes[asked] ?? (asked === 'evolution' ? answers.noEvolution : answers[asked]);
  });
}

export interface OrderChanges {
  readonly parameters?: Parameters;
  readonly model?: LanguageModel;
  readonly embedder?: Embedder;
  readonly remembered?: readonly Memory[];
  readonly state?: JournalState;
  readonly request?: Partial<SummaryRequest>;
  readonly signal?: AbortSignal;
}

/** The request for the one block that a strategy plans; null if it plans none. */
export function orderOf<P extends Parameters>(
  strategy: Strategy<P>,
  conversation: Conversation,
  changes: OrderChanges = {},
): WriteOrder | null {
  const { state = emptyState } = changes;
  const plan = planOf(strategy, conversation, state, changes.parameters ?? {});
  if (plan === null) return null;
  const request = buildRequest(plan, {
    known: entriesById(conversation),
    isByModel: () => false,
    instructions: null,
    core: overlayOf(state, conversation).core,
    liveGoal: null,
    context: conversation.agentContext,
    countTokens: (text) => Math.ceil(text.length / 4),
    isExtract: false,
  });
  return {
    plan,
    request: { ...request, ...changes.request },
    remembered: changes.remembered ?? [],
    tools: {
      summarizer: transparentSummarizer,
      model: changes.model ?? null,
      embedder: changes.embedder ?? new WordEmbedder(),
    },
    signal: changes.signal ?? new AbortController().signal,
  };
}

function planOf<P extends Parameters>(
  strategy: Strategy<P>,
  conversation: Conversation,
  state: JournalState,
  parameters: Parameters,
): CompactionPlan | null {
  const { messages, tokens } = contextOf(conversation, state);
  const outcome = strategy.plan(
    {
      messages,
      tokens,
      contextWindow: 200_000,
      trigger: 'manual',
      sinceCompaction: 0,
      goalTokens: 0,
      asksModel: false,
      floorTokens: 0,
      room: null,
      rejected: new Set(),
    },
    { ...strategy.defaults, keepRecentTokens: 0, ...parameters },
  );
  return outcome.kind === 'planned' ? (outcome.plans[0] ?? null) : null;
}

/** Writes the block that a strategy plans for a conversation in which it has something to replace. */
export async function write<P extends Parameters>(
  strategy: Strategy<P>,
  conversation: Conversation,
  changes: OrderChanges = {},
): Promise<WrittenBlock & { readonly memory: Memory }> {
  const order = orderOf(strategy, conversation, changes);
  if (order === null || !strategy.write) throw new Error('This strategy plans no block here.');
  const written = await strategy.write(order);
  if (!written.memory) throw new Error('This block remembers nothing.');
  return { ...written, memory: written.memory };
}

export function registered<P extends Parameters>(strategy: Strategy<P>): string {
  if (!findStrategy(strategy.name)) registerStrategy(strategy);
  return strategy.name;
}

export function note(id: string, changes: Partial<Note> = {}): Note {
  return {
    id,
    content: `content of ${id}`,
    keywords: [],
    tags: [],
    context: '',
    category: 'conclusion',
    links: [],
    timestamp: null,
    entryIds: ['e1'],
    evolution: [],
    retrievals: 0,
    lastRetrieved: null,
    by: 'extraction',
    ...changes,
  };
}

export function observation(id: string, changes: Partial<Observation> = {}): Observation {
  return {
    id,
    type: 'change',
    title: `title of ${id}`,
    subtitle: '',
    facts: [],
    narrative: '',
    concepts: ['what-changed', 'pattern'],
    filesRead: [],
    filesModified: [],
    discoveryTokens: 0,
    timestamp: null,
    entryIds: ['e1'],
    by: 'extraction',
    ...changes,
  };
}
