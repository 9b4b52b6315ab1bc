import { describe, expect, it, vi } from 'vitest';
import { ToolNotices } from '../../../extension/host/tools/notices';
import type { Inspection } from '../../../extension/inspection/inspection';
import { inspect } from '../../inspection/lookup/opened';

const editor = vi.hoisted(() => ({
  show: async (_message: string, ..._buttons: string[]): Promise<string | undefined> => undefined,
}));

vi.mock('vscode', () => ({
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
  window: { showInformationMessage: (...shown: [string, ...string[]]) => editor.show(...shown) },
}));

/** A fake person who answers each notice when `answer` is called. */
class Person {
  readonly seen: string[] = [];
  readonly shown: string[] = [];
  readonly #answers: ((button: string | undefined) => void)[] = [];
  readonly #running: Promise<void>[] = [];

  readonly notices = new ToolNotices({
    change: (inspection, act) => act(inspection),
    showCore: async () => this.shown.push('core'),
    showPreview: async () => this.shown.push('preview'),
    run: (_label, work) => void this.#running.push(work()),
  });

  constructor() {
    editor.show = (...shown) => {
      this.seen.push(shown.join(' | '));
      return new Promise((resolve) => this.#answers.push(resolve));
    };
  }

  async answer(button: string | undefined): Promise<void> {
    this.#answers.shift()?.(button);
    await Promise.all(this.#running.splice(0));
  }
}

async function proposed(inspection: Inspection) {
  const proposal = { kind: 'constraint', text: 'Never push.', rationale: null, proposedBy: 'gpt-5' } as const;
  return (await inspection.coreEditor.proposeItem(proposal)).item;
}

describe('a notice about a proposal', () => {
  for (const [button, status, shown] of [
    ['Accept', 'active', []],
    ['Refuse', 'refused', []],
    ['Show', 'proposed', ['core']],
    [undefined, 'proposed', []],
  ] as const) {
    it(`leaves it ${status} when the person answers ${button ?? 'nothing'}`, async () => {
      const inspection = await inspect('uncompacted');
      const person = new Person();
      person.notices.announceProposal({ inspection }, await proposed(inspection));
      expect(person.seen[0]).toMatch(
        /^An agent proposes a constraint for “.+”: Never push\. \| Accept \| Refuse \| Show$/,
      );
      expect(inspection.journal.state.items[0]?.status).toBe('proposed');
      await person.answer(button);
      expect(inspection.journal.state.items[0]?.status).toBe(status);
      expect(person.shown).toEqual(shown);
    });
  }
});

describe('many proposals at once', () => {
  it('many proposals at once show one notice first, and then one about all others', async () => {
    const inspection = await inspect('uncompacted');
    const person = new Person();
    for (let rule = 1; rule <= 50; rule += 1) {
      const wanted = { kind: 'constraint', text: `rule ${rule}`, rationale: null, proposedBy: 'a model' } as const;
      const outcome = await inspection.coreEditor.proposeItem(wanted);
      person.notices.announceProposal({ inspection }, outcome.item);
    }
    expect(person.seen).toHaveLength(1);
    await person.answer('Refuse');
    expect(person.seen[1]).toMatch(/^An agent proposes 49 more items for “.+”\. \| Show$/);
    await person.answer('Show');
    expect(person.shown).toEqual(['core']);
  });
});

describe('a notice about a compaction', () => {
  it('opens the preview, and is not shown twice', async () => {
    const inspection = await inspect('uncompacted');
    const person = new Person();
    const target = { inspection } as const;
    person.notices.offerCompaction(target, 'The tests pass.');
    person.notices.offerCompaction(target, 'They still pass.');
    expect(person.seen).toEqual([
      expect.stringMatching(/^An agent suggests compacting “.+”: The tests pass\. \| Preview…$/),
    ]);
    await person.answer('Preview…');
    expect(person.shown).toEqual(['preview']);
    person.notices.offerCompaction(target, 'Once more.');
    expect(person.seen).toHaveLength(2);
  });
});
