import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import type { AgentContext, ContextOptions, Message } from '../../extension/library';
import { createContext, EmbedderMissing, OperationRefused, UnknownStrategy } from '../../extension/library';
import { conversations } from '../builders/arbitrary';
import { call, long, result, type Said, user } from '../builders/conversation';
import { smallParameters } from '../builders/run';
import { strategyNames } from '../builders/strategy-names';

const countTokens = (text: string) => Math.ceil(text.length / 4);

function contextWith(options: Partial<ContextOptions> = {}): Promise<AgentContext> {
  return createContext({ window: 8000, countTokens, parameters: smallParameters, ...options });
}

function messageOf({ role, parts, injected }: Omit<Said, 'id'>): Message {
  return { role, content: parts, ...(injected ? { injected } : {}) };
}

/** Turns with one tool call each, of about 300 tokens. */
function turns(count: number): Message[] {
  return Array.from({ length: count }, (_, at) => [
    user(`Please look at part ${at}.`),
    call(`c${at}`, 'read', { path: `src/part-${at}.ts` }),
    result(`c${at}`, long(`Part ${at} is fine.`, 16)),
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: `Part ${at} is fine.` }] },
  ])
    .flat()
    .map(messageOf);
}

async function longTalk(options: Partial<ContextOptions> = {}): Promise<AgentContext> {
  const context = await contextWith(options);
  await context.append(...turns(20));
  return context;
}

describe('a context of the library', () => {
  it('gives back what was appended while nothing is compacted', async () => {
    const context = await contextWith();
    await context.append({ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hello', id: 'first' });
    expect(context.messages().map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Hello'],
    ]);
    expect(context.messages()[1]?.id).toBe('first');
  });

  it('keeps each of several results as an entry of its own, with its pictures', async () => {
    const context = await contextWith();
    const picture = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;
    const [one, two] = ['a', 'b'].flatMap((id) => result(id).parts);
    await context.append(messageOf(user('Look.')), messageOf({ role: 'assistant', parts: calls('a', 'b') }));
    if (one && two) await context.append({ role: 'tool', content: [one, picture, two] });
    expect(context.entries.slice(2).map(({ parts }) => parts)).toEqual([[one, picture], [two]]);
  });

  it('compacts, says what it did, and undoes it', async () => {
    const context = await longTalk();
    const before = context.messages();
    const run = await context.compact();
    expect(run.records.length).toBeGreaterThan(0);
    expect(context.tokens.total).toBe(run.after.tokens.total);
    expect(context.tokens.total).toBeLessThan(run.before.tokens.total);
    await context.undo();
    expect(context.messages()).toEqual(before);
    await context.redo();
    expect(context.tokens.total).toBe(run.after.tokens.total);
  });

  it('gives the same messages after compaction and undo, whatever was said and by whichever strategy', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, fc.constantFrom(...strategyNames), async (conversation, strategy) => {
        const context = await contextWith({ embedder: words, strategy });
        await context.append(...conversation.entries.map(messageOf));
        const before = context.messages();
        const { records } = await context.compact();
        if (records.length > 0) await context.undo();
        expect(context.messages()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('previews without changing anything, and applies only what was prepared here', async () => {
    const [context, other] = await Promise.all([longTalk(), longTalk()]);
    const before = context.messages();
    const run = await context.preview();
    expect(context.messages()).toEqual(before);
    await expect(other.apply(run)).rejects.toThrow(OperationRefused);
    await context.pin('constraint', 'Never delete files.');
    await expect(context.apply(run)).rejects.toThrow('Prepare it again');
  });

  it('has the core in the context, verbatim, until an item is done', async () => {
    const context = await longTalk();
    const item = await context.pin('constraint', 'Never change loadConfig().', { rationale: 'It is public.' });
    expect(coreOf(context)).toContain('Never change loadConfig().');
    await context.compact();
    expect(coreOf(context)).toContain('Never change loadConfig().');
    await context.changeItem(item.id, 'done');
    expect(context.core?.hard_constraints ?? []).toEqual([]);
  });

  it('puts a proposal into force only once it is confirmed', async () => {
    const context = await longTalk();
    const proposal = { kind: 'goal', text: 'Ship it.', rationale: null, proposedBy: 'a model' } as const;
    const { item } = await context.propose(proposal);
    expect(context.core).toBeNull();
    await context.changeItem(item.id, 'active');
    expect(context.core?.current_goal).toBe('Ship it.');
    expect((await context.propose(proposal)).kind).toBe('known');
  });

  it('proposes to retire the original goal once a newer one is confirmed, and repeats it until a person agrees', async () => {
    const context = await contextWith();
    await context.append(
      { role: 'user', content: 'Build the importer.' },
      { role: 'assistant', content: long('Built.') },
      ...turns(20),
    );
    await context.compact({ strategy: 'naive' });
    expect(coreOf(context)).toContain('Build the importer.');
    expect(context.originalGoal).toMatchObject({ status: 'active', isProposedDone: false });
    const goal = { kind: 'goal', text: 'Now build the exporter.', rationale: null, proposedBy: 'a model' } as const;
    const { item } = await context.propose(goal);
    expect(context.originalGoal?.isProposedDone).toBe(false);
    await context.changeItem(item.id, 'active');
    expect(context.originalGoal).toMatchObject({ status: 'active', isProposedDone: true });
    expect(coreOf(context)).toContain('Build the importer.');

    await context.changeItem('original-goal', 'done');
    expect(coreOf(context)).not.toContain('Build the importer.');
    expect(coreOf(context)).toContain('Now build the exporter.');
    expect(context.originalGoal).toMatchObject({ status: 'done', isProposedDone: false });

    await context.changeItem('original-goal', 'active');
    expect(context.core?.original_goal).toBe('Build the importer.');
    expect(context.originalGoal?.isProposedDone).toBe(false);
    await expect(context.changeItem('original-goal', 'refused')).rejects.toThrow(OperationRefused);
  });

  it('does not treat the original goal as over if the confirmed goal is its own words', async () => {
    const context = await contextWith();
    await context.append({ role: 'user', content: '/goal Build the importer for the old customers table.' });
    expect(await context.findProposals()).toBeGreaterThan(0);
    const goal = context.items.find(({ kind }) => kind === 'goal');
    await context.changeItem(goal?.id ?? '', 'active');
    expect(context.core?.current_goal).toContain('Build the importer for the old');
    expect(context.originalGoal?.isProposedDone).toBe(false);
  });

  it('takes a message out and brings it back', async () => {
    const context = await longTalk();
    const before = context.messages();
    const reply = before.find(({ kind }) => kind === 'tool_call');
    await context.exclude(reply?.id ?? '');
    expect(context.messages().map(({ id }) => id)).not.toContain(reply?.id);
    await context.undo();
    expect(context.messages()).toEqual(before);
  });

  it('notifies its listeners of changes until they unsubscribe', async () => {
    const context = await contextWith();
    const heard: string[] = [];
    const leave = context.subscribe((change) => heard.push(change));
    await context.append({ role: 'user', content: 'Hello' });
    await context.pin('goal', 'Be polite.');
    leave();
    await context.pin('goal', 'Be brief.');
    expect(heard).toEqual(['messages', 'journal']);
  });

  it('says what is wrong with its options', async () => {
    await expect(contextWith({ strategy: 'none' })).rejects.toThrow(UnknownStrategy);
    await expect(contextWith({ window: 0 })).rejects.toThrow(RangeError);
  });

  it('names what is missing if a strategy searches by meaning without an embedder', async () => {
    await expect(longTalk({ strategy: 'a-mem' })).rejects.toThrow(EmbedderMissing);
    const context = await longTalk();
    await expect(context.compact({ strategy: 'hybrid' })).rejects.toThrow(EmbedderMissing);
  });
});

describe('automatic compaction of the library', () => {
  it('waits below the floor, runs when the strategy says so, and pauses then', async () => {
    const context = await contextWith({ strategy: 'pipeline' });
    await context.append({ role: 'user', content: 'Hello' });
    expect(await context.compactIfNeeded()).toEqual({ kind: 'wait', reason: 'below-floor' });
    await context.append(...turns(20), { role: 'user', content: 'And now?' });
    expect((await context.compactIfNeeded()).kind).toBe('compacted');
    expect((await context.compactIfNeeded()).kind).not.toBe('compacted');
    expect(context.compactions.every(({ record }) => record.trigger === 'automatic')).toBe(true);
  });

  it('makes goal batches by count and age, long before the window fills, and not again without new turns', async () => {
    const context = await contextWith({ strategy: 'pipeline', window: 200_000 });
    const all = turns(40);
    const blocks: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      await context.append(...all.slice(turn * 4, turn * 4 + 4));
      const outcome = await context.compactIfNeeded();
      if (outcome.kind === 'compacted') blocks.push(...outcome.run.records.map(({ summaryType }) => summaryType));
      expect((await context.compactIfNeeded()).kind).not.toBe('compacted');
    }
    expect(blocks.filter((type) => type === 'goal_batch')).toHaveLength(5);
    expect(context.current.tokens.total).toBeLessThan(10_000);
  });

  it('starts by default when the context is at its trigger, and brings it to its target', async () => {
    const context = await contextWith();
    await context.append(...turns(16), { role: 'user', content: 'And now?' });
    expect(context.current.tokens.total).toBeLessThan(0.85 * 8000);
    expect(await context.compactIfNeeded()).toMatchObject({ kind: expect.stringMatching(/^(?:wait|warn)$/) });
    await context.append(...turns(24).map((message, at) => ({ ...message, id: `more-${at}` })));
    expect(context.current.tokens.total).toBeGreaterThan(0.85 * 8000);
    expect((await context.compactIfNeeded()).kind).toBe('compacted');
    expect(context.current.tokens.total).toBeLessThanOrEqual(0.5 * 8000);
  });

  it('waits while a compaction would cost more than it saves, and says so once', async () => {
    const reply = {
      role: 'assistant',
      content: 'Well.',
      model: 'claude-opus-4-8',
      timestamp: '2026-05-01T12:00:00.000Z',
      usage: { input: 5, output: 2, cacheRead: 6900, cacheWrite: 200 },
    } as const;
    const told: string[] = [];
    const asked = async (time: string, automation: ContextOptions['automation'] = {}) => {
      const effects = { now: () => time };
      const onSchedule = (sentence: string) => void told.push(sentence);
      const context = await contextWith({ automation: { pauseTokens: 0, ...automation }, effects, onSchedule });
      await context.append(...turns(40), reply, { role: 'user', content: 'And now?' });
      await context.compactIfNeeded();
      return await context.compactIfNeeded();
    };
    const [soon, late] = ['2026-05-01T12:10:00.000Z', '2026-05-01T13:10:00.000Z'];
    expect(await asked(soon)).toMatchObject({ kind: 'wait', reason: 'dearer' });
    expect(told).toEqual([expect.stringMatching(/waits until .* by the price of [\d,]+ input tokens/)]);
    await asked(late);
    expect(told[1]).toMatch(/starts before .* it should save what [\d,]+ input tokens cost/);
    expect(told).toHaveLength(2);
    await asked(soon, { schedule: 'size' });
    expect(told).toHaveLength(2);
  });

  it('makes one run of calls at the same time', async () => {
    const context = await longTalk({ strategy: 'pipeline' });
    const outcomes = await Promise.all([context.compactIfNeeded(), context.compactIfNeeded()]);
    expect(outcomes[0]).toBe(outcomes[1]);
    expect(new Set(context.compactions.map(({ record }) => record.run)).size).toBe(1);
  });

  it('writes without a model that fails, and says why', async () => {
    const context = await longTalk({ strategy: 'pipeline', model: failing, automation: { pauseTokens: 0 } });
    const first = await context.compactIfNeeded();
    if (first.kind !== 'compacted') throw new Error(first.kind);
    expect(first.run.failures).not.toEqual([]);
    expect(first.run.records.map(({ summarizer }) => summarizer.name)).toContain('transparent');
  });

  it('does nothing when it is switched off', async () => {
    const context = await longTalk({ automation: { enabled: false } });
    expect(await context.compactIfNeeded()).toEqual({ kind: 'off' });
  });
});

const failing: LanguageModel = {
  name: 'scripted',
  model: 'failing',
  concurrency: 1,
  complete: () => Promise.reject(new ModelFailed('unavailable', 'Nobody is there.')),
};

const words = {
  name: 'lengths',
  embed: async (texts: readonly string[]) => texts.map((text) => [1, text.length % 7, text.length % 11]),
};

function calls(...ids: readonly string[]) {
  return ids.map((callId) => ({ type: 'tool_call', callId, name: 'read', input: {} }) as const);
}

function coreOf(context: AgentContext): string {
  const core = context.messages().filter(({ kind }) => kind === 'core');
  expect(core).toHaveLength(1);
  return String(core[0]?.content);
}
