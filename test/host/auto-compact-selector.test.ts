import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { ChatCall } from '../../extension/host/chat/chat-services';
import { setAutoCompact } from '../../extension/host/chat/commands/autocompact';
import { selectAutoCompact } from '../../extension/host/compaction/auto-compact-selector';
import { talk } from '../builders/conversation';
import { contextOf, emptyState, pricedTalk } from '../builders/run';

/**
 * Tests of the selector of `/autocompact`, in a fake editor that stores its settings, with a person who picks by label.
 */

interface Pick {
  readonly label: string;
  readonly description?: string;
  readonly iconPath?: { readonly id: string };
}

interface Shown {
  readonly placeHolder: string;
  /** `✓ On`, `Trigger · 0.85 of the window: 170k tokens`. */
  readonly lines: readonly string[];
}

const editor = vi.hoisted(() => ({
  user: new Map<string, unknown>(),
  workspace: new Map<string, unknown>(),
  /** The items that the person picks, in this order. Then the selector is dismissed. */
  picks: [] as string[],
  /** The texts that the person enters; undefined dismisses the input. */
  written: [] as (string | undefined)[],
  problems: [] as (string | undefined)[],
  shown: [] as Shown[],
}));

vi.mock('vscode', () => {
  const t = (message: string, ...values: unknown[]) =>
    message.replace(/\{(\d)\}/g, (_, at) => String(values[Number(at)]));
  return {
    l10n: { t },
    ThemeIcon: class ThemeIcon {
      constructor(readonly id: string) {}
    },
    env: { language: 'en' },
    QuickPickItemKind: { Separator: -1 },
    ConfigurationTarget: { Global: 1, Workspace: 2 },
    workspace: {
      getConfiguration: () => ({
        get: (name: string, standard: unknown) => editor.workspace.get(name) ?? editor.user.get(name) ?? standard,
        inspect: (name: string) => ({ workspaceValue: editor.workspace.get(name) }),
        update: async (name: string, value: unknown, target: number) =>
          void (target === 2 ? editor.workspace : editor.user).set(name, value),
      }),
    },
    window: {
      showQuickPick: async (items: readonly Pick[], { placeHolder }: { placeHolder: string }) => {
        editor.shown.push({ placeHolder, lines: items.filter(({ label }) => label !== '').map(lineOf) });
        const wanted = editor.picks.shift();
        return items.find(({ label }) => label === wanted);
      },
      showInputBox: async ({ validateInput }: { validateInput: (written: string) => string | undefined }) => {
        const written = editor.written.shift();
        const problem = written === undefined ? undefined : validateInput(written);
        editor.problems.push(problem);
        return problem === undefined ? written : undefined;
      },
    },
  };
});

function lineOf({ label, description, iconPath }: Pick): string {
  const mark = iconPath?.id === 'check' ? '✓ ' : '';
  return `${mark}${label}${description === undefined ? '' : ` · ${description}`}`;
}

beforeEach(() => {
  for (const settings of [editor.user, editor.workspace]) settings.clear();
  Object.assign(editor, { picks: [], written: [], problems: [], shown: [] });
});

const window = 200_000;

describe('the selector of automatic compaction', () => {
  it('shows whether it is on, when it starts, and the numbers', async () => {
    await selectAutoCompact(window);
    expect(editor.shown).toEqual([
      {
        placeHolder: 'Ladder starts when it pays; where prices are not known, at 170k tokens',
        lines: [
          '✓ On',
          'Off',
          'Trigger · 0.85 of the window: 170k tokens',
          'Reserve · 16,384 tokens',
          'Keep recent · 20,000 tokens',
        ],
      },
    ]);
    expect(editor.user.size).toBe(0);
  });

  it('turns it off and on', async () => {
    editor.picks = ['Off'];
    await selectAutoCompact(window);
    expect(editor.user.get('compaction.enabled')).toBe(false);
    editor.picks = ['On'];
    await selectAutoCompact(window);
    expect(editor.shown[1]?.lines.slice(0, 2)).toEqual(['On', '✓ Off']);
    expect(editor.user.get('compaction.enabled')).toBe(true);
  });

  it('changes the numbers, and comes back with the new ones', async () => {
    editor.picks = ['Trigger', 'Reserve', 'Keep recent'];
    editor.written = ['120,000', '8 000', '5000'];
    await selectAutoCompact(window);
    expect(Object.fromEntries(editor.user)).toEqual({
      'compaction.trigger': 120_000,
      'compaction.reserveTokens': 8000,
      'compaction.keepRecentTokens': 5000,
    });
    expect(editor.shown.map(({ placeHolder }) => placeHolder)).toEqual([
      'Ladder starts when it pays; where prices are not known, at 170k tokens',
      ...Array.from({ length: 3 }, () => 'Ladder starts when it pays; where prices are not known, at 120k tokens'),
    ]);
    expect(editor.shown.at(-1)?.lines.slice(2)).toEqual([
      'Trigger · 120k tokens',
      'Reserve · 8,000 tokens',
      'Keep recent · 5,000 tokens',
    ]);
  });

  it('refuses an invalid or too small number, and changes nothing when it is dismissed', async () => {
    editor.picks = ['Trigger', 'Trigger', 'Reserve', 'Keep recent'];
    editor.written = ['often', '0', '-1', undefined];
    await selectAutoCompact(window);
    const least = (number: number) => `Enter a number of at least ${number}.`;
    expect(editor.problems).toEqual([least(0.01), least(0.01), least(0), undefined]);
    expect(editor.user.size).toBe(0);
  });

  it('writes where a setting was set', async () => {
    editor.workspace.set('compaction.reserveTokens', 9000);
    editor.picks = ['Reserve'];
    editor.written = ['10000'];
    await selectAutoCompact(window);
    expect([editor.workspace.get('compaction.reserveTokens'), editor.user.size]).toEqual([10_000, 0]);
  });

  it('says of each strategy how it starts', async () => {
    editor.user.set('compaction.reserveTokens', 20_000);
    for (const strategy of ['checkpoint', 'goal-batch']) {
      editor.user.set('compaction.strategy', strategy);
      await selectAutoCompact(window);
    }
    expect(editor.shown.map(({ placeHolder }) => placeHolder)).toEqual([
      'Checkpoint starts at 180k tokens',
      'Goal batch starts once enough turns are old enough',
    ]);
  });
});

function workbenchOf(conversation: Conversation) {
  return { conversation, state: emptyState, context: contextOf(conversation, emptyState) };
}

/** Without a reply of a model, no price is known. */
const unpriced = workbenchOf(talk([]));

describe('/autocompact', () => {
  async function say(argument: string, of = unpriced): Promise<string> {
    const said: string[] = [];
    const call = {
      stream: { markdown: (text: string) => void said.push(text) },
      chat: {
        conversation: {
          workbench: { contextWindow: window, session: { agent: 'strata' }, isStrataInside: false, ...of },
        },
      },
    } as unknown as ChatCall;
    await setAutoCompact(call, argument);
    return said.join('');
  }

  const numbers =
    '- `trigger`: 0.85 of the window: 170k tokens\n- `reserveTokens`: 16,384 tokens\n- `keepRecentTokens`: 20,000 tokens';

  it('opens the selector without an argument, and then says how it is', async () => {
    editor.picks = ['Off'];
    expect(await say('')).toBe(`Automatic compaction is off. Nothing is compacted unless you ask.\n\n${numbers}`);
    expect(editor.shown).toHaveLength(1);
  });

  it('opens no selector with an argument', async () => {
    await say('off');
    expect(editor.user.get('compaction.enabled')).toBe(false);
    expect(await say('on')).toBe(`Automatic compaction is on; it starts at 170k tokens.\n\n${numbers}`);
    expect(editor.shown).toEqual([]);
    const { priced } = pricedTalk(new Date().toISOString());
    expect(await say('on', workbenchOf(priced))).toBe(
      `Automatic compaction is on.\n\nAutomatic compaction starts as soon as it saves more than it costs.\n\n${numbers.replace(
        '170k tokens',
        '170k tokens, only where it starts by size',
      )}`,
    );
    await expect(say('maybe')).rejects.toThrow('Type /autocompact on or /autocompact off.');
  });
});
