import * as vscode from 'vscode';
import { isUsual, strategyChoices } from '../../../engine/run/prepare/registry';
import { OperationRefused } from '../../../inspection/inspection';
import { translated } from '../../failures/failure-text';
import { readSettings, writeSetting } from '../../settings';
import type { ChatCall } from '../chat-services';
import { tableRow } from '../markdown';

/** The argument that lists all strategies. */
const all = 'all';

/** `/strategy [name]`: sets the strategy for later compactions; without an argument, lists the usual ones; with `all`, lists all. */
export async function setStrategy({ stream }: ChatCall, name: string): Promise<void> {
  const choices = strategyChoices();
  if (name !== '' && name !== all) {
    const choice = choices.find((known) => known.name === name.toLowerCase());
    if (!choice)
      throw new OperationRefused(vscode.l10n.t('There is no strategy “{0}”. Send /strategy for a list.', name));
    await writeSetting('compaction.strategy', choice.name);
    stream.markdown(vscode.l10n.t('From now on: **{0}**.', translated(choice.title)));
    return;
  }
  const current = readSettings().strategy;
  const listed = choices.filter((choice) => name === all || isUsual(choice) || choice.name === current);
  stream.markdown(
    [
      tableRow('', vscode.l10n.t('strategy'), ''),
      tableRow('---', '---', '---'),
      ...listed.map((choice) =>
        tableRow(choice.name === current ? '✓' : '', `\`${choice.name}\``, translated(choice.title)),
      ),
    ].join('\n'),
  );
  if (listed.length < choices.length) {
    stream.markdown(`\n\n${vscode.l10n.t('`/strategy all` lists all {0} strategies.', choices.length)}`);
  }
}
