import { describe, expect, it } from 'vitest';
import { CompactionWishes } from '../../../extension/host/tools/compaction-wishes';
import { NoTarget } from '../../../extension/inspection/tools/named-session';
import type { ToolKey } from '../../../extension/inspection/tools/tool-names';
import { inspect } from '../../inspection/lookup/opened';
import { answer, Surroundings, summaryOf } from './surroundings';

async function withInspected(): Promise<Surroundings & { inspection: Awaited<ReturnType<typeof inspect>> }> {
  const inspection = await inspect('claude');
  return Object.assign(new Surroundings(), { inspection });
}

describe('the session of a tool call', () => {
  const titleOf = (text: string) => /^Session "(.{12})/m.exec(text)?.[1];

  it('the session of a tool call is the named one, else the chat’s, else the most recent one, else the inspected one', async () => {
    const [pi, claude, small] = await Promise.all([inspect('pi'), inspect('claude'), inspect('uncompacted')]);
    const around = new Surroundings();
    around.listed = [[summaryOf(small, { title: 'Small session here' }), small]];
    around.own.set('chat', pi).set('recent', claude);
    around.inspection = small;
    const ask = async (input: object, token?: object) => {
      const text = await answer('core', around, input, { token });
      return [text.split('\n')[0], titleOf(text)];
    };
    expect(await ask({})).toEqual([
      'About the session open in Strata’s inspector; name another with "session".',
      small.session.title?.slice(0, 12),
    ]);
    around.recent = 'recent';
    expect((await ask({}))[1]).toBe(claude.session.title?.slice(0, 12));
    around.chat = 'chat';
    expect(await ask({}, {})).toEqual(['About this chat.', pi.session.title?.slice(0, 12)]);
    expect(await ask({ session: 'small here' }, {})).toEqual([
      'About the session that was named.',
      small.session.title?.slice(0, 12),
    ]);
  });

  it('the session of a tool call is reported as missing, with advice', async () => {
    const around = new Surroundings();
    await expect(answer('core', around, {})).rejects.toThrow(NoTarget);
    await expect(answer('core', around, {})).rejects.toThrow('Name one with "session"');
    await expect(answer('core', around, { session: 'loader' })).rejects.toThrow('No session matches "loader"');
  });

  it('the session of a tool call is asked for again if several match', async () => {
    const inspection = await inspect('claude');
    const around = new Surroundings();
    around.listed = ['one', 'two'].map((id) => [summaryOf(inspection, { id, title: 'Fix it' }), inspection]);
    await expect(answer('core', around, { session: 'fix' })).rejects.toThrow(
      /^2 sessions match "fix"\..*\n- .*id one.*\n- .*id two/s,
    );
  });

  it('the session of a tool call is never another one when the chat’s own conversation cannot be opened', async () => {
    const around = await withInspected();
    around.chat = 'gone';
    await expect(answer('core', around, {}, { token: {} })).rejects.toThrow('no conversation gone');
  });
});

describe('strata_propose', () => {
  const proposal = { kind: 'constraint', text: '  Never push to main.  ', reason: 'CI deploys from it' };

  it('adds a proposal that is not in force until a person accepts it', async () => {
    const around = await withInspected();
    const before = JSON.stringify(around.inspection.context);
    const text = await answer('propose', around, proposal, { model: 'gpt-5-mini' });
    const [item] = around.inspection.journal.state.items;
    expect(item).toMatchObject({
      kind: 'constraint',
      text: 'Never push to main.',
      rationale: 'CI deploys from it',
      status: 'proposed',
      proposedBy: 'gpt-5-mini',
    });
    expect(around.proposals).toEqual([item]);
    expect(text).toContain(`Proposed as constraint ${item?.id.slice(0, 8)}. It is not in force`);
    expect(JSON.stringify(around.inspection.context)).toBe(before);
  });

  it('does not propose an item of the core again in any spelling, and reports its state', async () => {
    const around = await withInspected();
    const propose = () => answer('propose', around, { kind: 'constraint', text: 'NEVER push\n to main.' });
    await answer('propose', around, proposal);
    expect(await propose()).toContain('It is proposed already and waits for the person.');
    const id = around.inspection.journal.state.items[0]?.id ?? '';
    await around.inspection.coreEditor.change(id, 'active');
    expect(await propose()).toContain('It is in force already.');
    await around.inspection.coreEditor.change(id, 'refused');
    expect(await propose()).toContain('The person has refused it. Do not propose it again.');
    expect(around.inspection.journal.state.items).toHaveLength(1);
    expect(around.proposals).toHaveLength(1);
  });

  it('names the session’s model if the editor does not name the caller', async () => {
    const around = await withInspected();
    await answer('propose', around, { kind: 'goal', text: 'Ship it.' });
    expect(around.inspection.journal.state.items[0]?.proposedBy).toBe(around.inspection.session.model);
  });
});

describe('strata_core', () => {
  it('lists the items by their state, with ids, verbatim', async () => {
    const around = await withInspected();
    const { inspection } = around;
    const goal = await inspection.coreEditor.pin('goal', 'Clean up\norphaned sessions.', null);
    await inspection.coreEditor.pin('decision', 'Delete on quit.', null);
    await answer('propose', around, { kind: 'constraint', text: 'No new flags.' });
    const text = await answer('core', around, {});
    expect(text).toContain(
      `In force, verbatim in every request:\n- ${goal.id.slice(0, 8)} goal: Clean up\norphaned sessions.\n`,
    );
    expect(text).toMatch(
      /Proposed, waiting for the person to confirm:\n- \w{8} constraint: No new flags\. \[proposed by /,
    );
    expect(text).toContain(`takes ${inspection.context.tokens.byKind.core} tokens`);
  });
});

describe('strata_session', () => {
  it('lists the sessions of the open folder, newest first, if none is named', async () => {
    const inspection = await inspect('claude');
    const around = new Surroundings();
    around.folders = ['/work'];
    const list = ['one', 'two', 'three'].map((id) =>
      summaryOf(inspection, { id, cwd: id === 'two' ? '/other' : '/work' }),
    );
    around.listed = list.map((summary) => [summary, inspection]);
    const text = await answer('session', around, {});
    expect(text.match(/, id \w+/g)).toEqual([', id one', ', id three']);
    expect(text).toMatch(/^The newest 2 of 2 sessions of \/work\./);
    expect(text).toContain('- 2026-01-02 03:04 Session "');
  });

  it('reports an open folder without sessions', async () => {
    const around = new Surroundings();
    expect(await answer('session', around, {})).toBe('There are no sessions of an open folder.');
  });

  it('changes neither the session nor its journal', async () => {
    const around = await withInspected();
    const { state } = around.inspection.journal;
    const { session } = around.inspection;
    const input = { session: session.id, question: 'orphaned sessions', maxTokens: 400 };
    const text = await answer('session', around, input);
    expect(text).toContain('[1] ');
    expect(around.inspection.ledger.countText(text)).toBeLessThanOrEqual(400);
    expect(around.inspection.journal.state).toBe(state);
    expect(around.inspection.session).toBe(session);
  });
});

describe('strata_recall', () => {
  it('fits the caller’s limit, including the first line', async () => {
    const around = await withInspected();
    for (const most of [120, 400]) {
      const text = await answer('recall', around, { query: 'session state files' }, { most });
      expect(around.inspection.ledger.countText(text)).toBeLessThanOrEqual(most);
      expect(text).toMatch(/^About the session open/);
    }
  });
});

describe('strata_compact', () => {
  it('requests a compaction after the turn if automatic compaction is on, else asks the person', async () => {
    const around = await withInspected();
    const { id } = around.inspection.session;
    const automatic = await answer('compact', around, { reason: 'The tests pass.' });
    expect(automatic).toMatch(
      /\d+ of \d+ tokens \(\d+ %\) are taken\.\nThe context will be compacted when this turn is over/,
    );
    expect([around.wishes, around.offers]).toEqual([[`${id}: The tests pass.`], []]);
    around.isAutomatic = false;
    expect(await answer('compact', around, { reason: 'Done.' })).toContain('Automatic compaction is off');
    expect([around.wishes.length, around.offers]).toEqual([1, [`${id}: Done.`]]);
  });

  it('strata_compact is requested once, however often it is asked for', () => {
    const wishes = new CompactionWishes();
    wishes.add('/a.jsonl', 'first');
    wishes.add('/a.jsonl', 'second');
    expect([wishes.take('/a.jsonl'), wishes.take('/a.jsonl'), wishes.take('/b.jsonl')]).toEqual(['second', null, null]);
  });
});

describe('a tool that is cancelled', () => {
  it('a tool that is cancelled has no effect', async () => {
    const around = await withInspected();
    const controller = new AbortController();
    controller.abort(new Error('The call was cancelled.'));
    const { signal } = controller;
    const inputs = {
      propose: { kind: 'goal', text: 'Ship it.' },
      compact: { reason: 'Done.' },
      recall: { query: 'sessions' },
      session: { session: around.inspection.session.id, question: 'sessions' },
    } as const;
    for (const [key, input] of Object.entries(inputs) as [ToolKey, object][]) {
      await expect(answer(key, around, input, { signal })).rejects.toThrow('The call was cancelled.');
    }
    expect(around.inspection.journal.state.items).toEqual([]);
    expect([...around.wishes, ...around.offers, ...around.proposals]).toEqual([]);
  });
});
