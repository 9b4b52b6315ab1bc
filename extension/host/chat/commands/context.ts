import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  blockForm,
  type Context,
  type ContextTokens,
  type TokenKind,
  tokenKinds,
} from '../../../engine/conversation/context';
import { brief } from '../../../engine/conversation/text';
import { tokensText } from '../../../engine/wording/tokens-text';
import type { Inspection } from '../../../inspection/inspection';
import { agentNames } from '../../../sessions/session';
import { chatCommandIds, showInspectorId } from '../../command-ids';
import { titleText } from '../../view/session-text';
import type { ChatCall } from '../chat-services';
import { plain, tableRow } from '../markdown';

/** `/context`: how full the window of the session in the inspector is, and what fills it; without a session, the same for this chat. */
export async function tellContext({ stream, chat, services }: ChatCall): Promise<void> {
  const { workbench, id } = chat.conversation;
  const open = services.inspector.inspection;
  const isOwn = open === null || open.session.file === workbench.session.file;
  const shown = isOwn ? workbench : open;
  stream.markdown([...headOf(shown, isOwn), ...gauges(shown), '', ...table(shown), ...blocks(shown)].join('\n'));
  const title = vscode.l10n.t('Open the Inspector');
  if (isOwn) stream.button({ command: chatCommandIds.show, title, arguments: [id, 'sessions'] });
  else stream.button({ command: showInspectorId, title });
}

const titleLength = 80;

/** Names the session, if it is not this chat. */
function headOf({ session }: Inspection, isOwn: boolean): string[] {
  if (isOwn) return [];
  const { agent, cwd } = session;
  const folder = cwd === null ? '' : ` · ${plain(basename(cwd) || cwd)}`;
  const which = vscode.l10n.t('The session that is open in the inspector, not this chat:');
  return [`${which} **${agentNames[agent]}** · ${plain(brief(titleText(session), titleLength))}${folder}`, ''];
}

/** The sizes of the agent's context now and after the compactions, while the two differ. */
function gauges({ context, contextInAgent, contextWindow, session }: Inspection): string[] {
  if (contextInAgent === context) return [gauge(context, contextWindow)];
  const now = vscode.l10n.t('{0} has now:', agentNames[session.agent]);
  const after = vscode.l10n.t('After the compactions shown in the inspector:');
  return [`${now} ${gauge(contextInAgent, contextWindow)}`, '', `${after} ${gauge(context, contextWindow)}`];
}

const gaugeWidth = 20;

function gauge({ tokens }: Context, contextWindow: number): string {
  const share = Math.min(1, tokens.total / contextWindow);
  const filled = Math.round(share * gaugeWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(gaugeWidth - filled);
  const figures = `${tokensText(tokens.total)} / ${tokensText(contextWindow)} (${percentText(tokens.total / contextWindow)}, ${sourceText(tokens)})`;
  return `\`${bar}\` ${figures}`;
}

/** Number of blocks that are listed one by one. */
const mostBlocks = 12;

/** The blocks in the context, including the agent's own summary. */
function blocks({ context, session }: Inspection): string[] {
  const lines = context.messages.flatMap((message, index) => {
    const { block, kind } = message;
    if (kind !== 'summary' && kind !== 'goal_batch') return [];
    const name = block ? `${blockForm(block.metadata.summary_type).tag} #${block.seq}` : agentNames[session.agent];
    return [`- ${plain(name)}: ${tokensText(context.tokens.ofMessages[index] ?? 0)}`];
  });
  if (lines.length === 0) return [];
  const newest = lines.slice(-mostBlocks);
  const heading = vscode.l10n.t('Blocks in place of older messages, oldest first:');
  const more = lines.length - newest.length;
  return ['', heading, '', ...(more > 0 ? [`- ${vscode.l10n.t('{0} older ones', more)}`] : []), ...newest];
}

function sourceText({ source, countedSince }: ContextTokens): string {
  if (source === 'estimated') return vscode.l10n.t('estimated');
  return countedSince > 0
    ? vscode.l10n.t('reported + {0} counted since', tokensText(countedSince))
    : vscode.l10n.t('reported');
}

/** As in the panel: a share that is not empty is never shown as 0 %. */
function percentText(share: number): string {
  const percent = Math.round(share * 100);
  return share > 0 && percent === 0 ? '<1 %' : `${percent} %`;
}

function table({ context }: Inspection): string[] {
  const { byKind, total } = context.tokens;
  const counts = new Map<TokenKind, number>();
  for (const { kind } of context.messages) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = tokenKinds.filter((kind) => byKind[kind] > 0);
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

const kindTitles: Readonly<Record<TokenKind, () => string>> = {
  system: () => vscode.l10n.t('System and tools'),
  earlier: () => vscode.l10n.t('Earlier messages, not in this file'),
  core: () => vscode.l10n.t('Protected core'),
  goal_batch: () => vscode.l10n.t('Goal batches'),
  summary: () => vscode.l10n.t('Summaries'),
  user: () => vscode.l10n.t('You'),
  assistant: () => vscode.l10n.t('Assistant'),
  tool_call: () => vscode.l10n.t('Tool calls'),
  tool_result: () => vscode.l10n.t('Tool results'),
  unexplained: () => vscode.l10n.t('Growth that no record explains'),
};
