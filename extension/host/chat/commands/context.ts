import * as vscode from 'vscode';
import { type ContextKind, type ContextTokens, contextKinds } from '../../../engine/conversation/context';
import type { Inspection } from '../../../inspection/inspection';
import { tokensText } from '../../view/tokens-text';
import type { ChatCall } from '../chat-services';
import { chatCommandIds } from '../command-ids';
import { tableRow } from '../markdown';

/** `/context`: how full the window is, and of what. */
export async function tellContext({ stream, chat }: ChatCall): Promise<void> {
  const { workbench, id } = chat.conversation;
  stream.markdown([gauge(workbench), '', ...table(workbench)].join('\n'));
  const title = vscode.l10n.t('Open the Inspector');
  stream.button({ command: chatCommandIds.show, title, arguments: [id, 'sessions'] });
}

const gaugeWidth = 20;

function gauge({ context, contextWindow }: Inspection): string {
  const { total } = context.tokens;
  const share = Math.min(1, total / contextWindow);
  const filled = Math.round(share * gaugeWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(gaugeWidth - filled);
  const figures = `${tokensText(total)} / ${tokensText(contextWindow)} (${percentText(share)}, ${sourceText(context.tokens)})`;
  return `\`${bar}\` ${figures}`;
}

function sourceText({ source, countedSince }: ContextTokens): string {
  if (source === 'estimated') return vscode.l10n.t('estimated');
  return countedSince > 0
    ? vscode.l10n.t('reported + {0} counted since', tokensText(countedSince))
    : vscode.l10n.t('reported');
}

/** As the panel says it: what is there is never 0 %. */
function percentText(share: number): string {
  const percent = Math.round(share * 100);
  return share > 0 && percent === 0 ? '<1 %' : `${percent} %`;
}

function table({ context }: Inspection): string[] {
  const { byKind, total } = context.tokens;
  const counts = new Map<ContextKind, number>();
  for (const { kind } of context.messages) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = contextKinds.filter((kind) => byKind[kind] > 0);
  return [
    tableRow(vscode.l10n.t('tokens'), vscode.l10n.t('share'), vscode.l10n.t('messages')),
    tableRow('---:', '---:', '---'),
    ...kinds.map((kind) =>
      tableRow(
        tokensText(byKind[kind]),
        percentText(byKind[kind] / Math.max(1, total)),
        `${kindTitles[kind]()} (${counts.get(kind) ?? 0})`,
      ),
    ),
  ];
}

const kindTitles: Readonly<Record<ContextKind, () => string>> = {
  system: () => vscode.l10n.t('System and tools'),
  core: () => vscode.l10n.t('Protected core'),
  goal_batch: () => vscode.l10n.t('Goal batches'),
  summary: () => vscode.l10n.t('Summaries'),
  user: () => vscode.l10n.t('You'),
  assistant: () => vscode.l10n.t('Assistant'),
  tool_call: () => vscode.l10n.t('Tool calls'),
  tool_result: () => vscode.l10n.t('Tool results'),
};
