import * as vscode from 'vscode';
import { strategyChoices } from '../../../engine/run/registry';
import { OperationRefused } from '../../../inspection/inspection';
import { translated } from '../../failures/failure-text';
import { readSettings, writeSetting } from '../../settings';
import type { ChatCall } from '../chat-services';
import { tableRow } from '../markdown';

/** `/strategy [name]`: which strategy compacts from now on; without an argument, which there are. */
export async function setStrategy({ stream }: ChatCall, name: string): Promise<void> {
  const choices = strategyChoices();
  if (name !== '') {
    const choice = choices.find((known) => known.name === name.toLowerCase());
    if (!choice)
      throw new OperationRefused(vscode.l10n.t('There is no strategy “{0}”. Send /strategy for a list.', name));
    await writeSetting('compaction.strategy', choice.name);
    stream.markdown(vscode.l10n.t('From now on: **{0}**.', translated(choice.title)));
    return;
  }
  const current = readSettings().strategy;
  stream.markdown(
    [
      tableRow('', vscode.l10n.t('strategy'), ''),
      tableRow('---', '---', '---'),
      ...choices.map((choice) =>
        tableRow(choice.name === current ? '✓' : '', `\`${choice.name}\``, translated(choice.title)),
      ),
    ].join('\n'),
  );
}
