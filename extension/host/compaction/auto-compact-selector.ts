import * as vscode from 'vscode';
import { startOf } from '../../engine/run/automation/automation';
import { findStrategy } from '../../engine/run/prepare/registry';
import { haloDefaults } from '../../engine/strategies/halo-parameters';
import { ladderDefaults } from '../../engine/strategies/ladder';
import { sizeInTokens } from '../../engine/strategies/target';
import { tokensText } from '../../engine/wording/tokens-text';
import { automationSetting, readSetting, readSettings, strategyTitle, writeSetting } from '../settings';

/** A number that decides when automatic compaction starts, or what it leaves. */
interface AutoCompactNumber {
  /** Name of the setting and of the parameter. */
  readonly name: 'trigger' | 'reserveTokens' | 'keepRecentTokens';
  readonly standard: number;
  /** The minimum, as in package.json. */
  readonly least: number;
  readonly title: () => string;
  readonly detail: () => string;
  /** For display: its value in tokens of this window. */
  readonly text: (value: number, contextWindow: number) => string;
}

const numbers: readonly AutoCompactNumber[] = [
  {
    name: 'trigger',
    standard: ladderDefaults.trigger,
    least: 0.01,
    title: () => vscode.l10n.t('Trigger'),
    detail: () =>
      vscode.l10n.t('Where the ladder starts if it starts by size: a share of the window up to 1, tokens above'),
    text: triggerText,
  },
  {
    name: 'reserveTokens',
    standard: haloDefaults.reserveTokens,
    least: 0,
    title: () => vscode.l10n.t('Reserve'),
    detail: () =>
      vscode.l10n.t('Tokens of the window to keep free; checkpoint and similar strategies start when fewer are left'),
    text: inTokens,
  },
  {
    name: 'keepRecentTokens',
    standard: haloDefaults.keepRecentTokens,
    least: 0,
    title: () => vscode.l10n.t('Keep recent'),
    detail: () => vscode.l10n.t('Tokens of the newest turns that stay unchanged'),
    text: inTokens,
  },
];

function triggerText(value: number, contextWindow: number): string {
  const tokens = tokensText(sizeInTokens(value, contextWindow));
  return value > 1
    ? vscode.l10n.t('{0} tokens', tokens)
    : vscode.l10n.t('{0} of the window: {1} tokens', value, tokens);
}

function inTokens(value: number): string {
  return vscode.l10n.t('{0} tokens', value.toLocaleString(vscode.env.language));
}

interface AutoCompactPick extends vscode.QuickPickItem {
  /** The action to take, and whether the selector is then shown again. */
  readonly choose?: () => Promise<'again' | 'done'>;
}

/**
 * Shows automatic compaction with its numbers, and changes what a person picks. It reappears after each number, and ends when the person
 * switches it on or off, or dismisses it.
 */
export async function selectAutoCompact(contextWindow: number): Promise<void> {
  for (;;) {
    const chosen = await vscode.window.showQuickPick(picksFor(contextWindow), {
      title: vscode.l10n.t('Automatic compaction'),
      placeHolder: startText(contextWindow),
      ignoreFocusOut: true,
    });
    if ((await chosen?.choose?.()) !== 'again') return;
  }
}

/** The strategy of automatic compaction, and when it starts. */
function startText(contextWindow: number): string {
  const { strategy, parameters, automation } = readSettings();
  const choice = findStrategy(strategy);
  const startsAt = choice ? startOf(choice, contextWindow, parameters) : null;
  const title = strategyTitle(strategy);
  if (startsAt !== null && choice?.aim && automation.schedule === 'cost')
    return vscode.l10n.t(
      '{0} starts when it pays; where prices are not known, at {1} tokens',
      title,
      tokensText(startsAt),
    );
  return startsAt === null
    ? vscode.l10n.t('{0} starts once enough turns are old enough', title)
    : vscode.l10n.t('{0} starts at {1} tokens', title, tokensText(startsAt));
}

function picksFor(contextWindow: number): AutoCompactPick[] {
  const { enabled } = readSettings().automation;
  return [
    switchPick(vscode.l10n.t('On'), true, enabled),
    switchPick(vscode.l10n.t('Off'), false, !enabled),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...numbers.map((number) => numberPick(number, contextWindow)),
  ];
}

function switchPick(label: string, wanted: boolean, isNow: boolean): AutoCompactPick {
  return {
    label,
    iconPath: new vscode.ThemeIcon(isNow ? 'check' : 'blank'),
    async choose() {
      await writeSetting(automationSetting, wanted);
      return 'done';
    },
  };
}

function numberPick(number: AutoCompactNumber, contextWindow: number): AutoCompactPick {
  const { title, detail, text } = number;
  return {
    label: title(),
    iconPath: new vscode.ThemeIcon('edit'),
    description: text(currentValue(number), contextWindow),
    detail: detail(),
    async choose() {
      const value = await askForNumber(number);
      if (value !== null) await writeSetting(settingOf(number), value);
      return 'again';
    },
  };
}

async function askForNumber(number: AutoCompactNumber): Promise<number | null> {
  const answer = await vscode.window.showInputBox({
    title: number.title(),
    prompt: number.detail(),
    value: String(currentValue(number)),
    validateInput: (written) =>
      numberIn(written, number.least) === null
        ? vscode.l10n.t('Enter a number of at least {0}.', number.least)
        : undefined,
    ignoreFocusOut: true,
  });
  return answer === undefined ? null : numberIn(answer, number.least);
}

/** Commas and spaces may group the digits. */
function numberIn(written: string, least: number): number | null {
  const digits = written.replace(/[,\s]/g, '');
  const value = digits === '' ? Number.NaN : Number(digits);
  return Number.isFinite(value) && value >= least ? value : null;
}

function currentValue(number: AutoCompactNumber): number {
  return readSetting(settingOf(number), number.standard);
}

function settingOf({ name }: AutoCompactNumber): string {
  return `compaction.${name}`;
}

/** The current numbers by name, for text that quotes settings. `byCost`: it does not start by size. */
export function autoCompactNumbers(
  contextWindow: number,
  byCost: boolean,
): readonly { readonly name: string; readonly text: string }[] {
  return numbers.map((number) => {
    const text = number.text(currentValue(number), contextWindow);
    const isUnused = byCost && number.name === 'trigger';
    return { name: number.name, text: isUnused ? vscode.l10n.t('{0}, only where it starts by size', text) : text };
  });
}
