import * as l10n from '@vscode/l10n';
import type { ContextMessage } from '../../engine/conversation/context';
import { inputText, type Part, type ToolDefinitionsPart, textOf } from '../../engine/conversation/entry';
import { estimatesByLength } from '../../engine/conversation/tokens';
import { divided } from '../../engine/conversation/whole-tokens';
import type { Inspection } from '../../inspection/inspection';
import type { SystemPiece } from '../../protocol/view';
import type { MemoryFile } from '../../sessions/memory/memory-files';

/** A piece whose size matters only in proportion to the others of its part. */
type Weighed = Pick<SystemPiece, 'label' | 'file'> & { readonly weight: number };

/**
 * Pieces of the gauge's system tokens, as far as the session file and memory files show. The pieces add up to `byKind.system`. The
 * part that nothing explains is shown as not known.
 */
export function systemPieces(inspection: Inspection): readonly SystemPiece[] {
  const { messages, tokens } = inspection.context;
  const logged = messages.flatMap((message, index) =>
    message.kind === 'system' ? piecesOf(message, tokens.ofMessages[index] ?? 0, inspection) : [],
  );
  return joined([...logged, ...unloggedPieces(inspection, messages)]);
}

function piecesOf(message: ContextMessage, tokens: number, { ledger }: Inspection): readonly SystemPiece[] {
  const label = message.injected ? l10n.t('Rules and environment, in messages') : l10n.t('System prompt');
  const weighed = message.parts.flatMap((part): Weighed[] =>
    part.type === 'tool_definitions' ? toolPieces(part, ledger.ofPart(part)) : [{ label, weight: ledger.ofPart(part) }],
  );
  return sized(weighed, tokens);
}

/** Each built-in tool, and the tools of each MCP server together (agents name them `mcp__server__tool`); the largest first. */
function toolPieces(part: ToolDefinitionsPart, weight: number): Weighed[] {
  const pieces = new Map<string, { server: string | null; names: string[]; length: number }>();
  for (const [index, tool] of toolsIn(part).entries()) {
    const name = part.names[index] ?? '';
    const [, server = null, own = name] = /^mcp__(.+?)__(.+)/.exec(name) ?? [];
    const key = server === null ? name : `mcp__${server}__`;
    const known = pieces.get(key) ?? { server, names: [], length: 0 };
    pieces.set(key, { ...known, names: [...known.names, own], length: known.length + inputText(tool).length });
  }
  const length = [...pieces.values()].reduce((sum, piece) => sum + piece.length, 0);
  return [...pieces.values()]
    .sort((a, b) => b.length - a.length)
    .map(({ server, names, length: own }) => ({
      label:
        server === null ? l10n.t('Tool {0}', names.join()) : l10n.t('MCP server {0}: {1}', server, names.join(', ')),
      weight: length === 0 ? 0 : (weight * own) / length,
    }));
}

function toolsIn({ text, names }: ToolDefinitionsPart): readonly unknown[] {
  try {
    const tools: unknown = JSON.parse(text);
    if (Array.isArray(tools) && tools.length === names.length) return tools;
  } catch {
    // Schemas that Strata did not write may be shortened.
  }
  return names;
}

/** The part that the agent sends and does not log. */
function unloggedPieces(inspection: Inspection, messages: readonly ContextMessage[]): readonly SystemPiece[] {
  const { derivedSystem, calibration } = inspection.context.tokens;
  const estimate = estimatesByLength();
  const pieces: SystemPiece[] = [];
  let left = derivedSystem;
  for (const file of notLogged(inspection.memoryFiles, messages)) {
    const part: Part = { type: 'text', text: file.text };
    const tokens = Math.min(left, Math.round(estimate.ofPart(part) * calibration));
    left -= tokens;
    if (tokens > 0) pieces.push({ label: memoryLabel(file), tokens, file: file.path, isEstimate: true });
  }
  if (left > 0)
    pieces.push({ label: l10n.t('Not known: sent by the agent and not in the session file'), tokens: left });
  return pieces;
}

/** Some agents write their memory files into the session. */
function notLogged(files: readonly MemoryFile[], messages: readonly ContextMessage[]): readonly MemoryFile[] {
  const logged = messages
    .filter(({ kind, injected }) => kind === 'system' || injected)
    .map(({ parts }) => textOf(parts))
    .join('\n');
  return files.filter(({ kind, text }) => kind !== 'memory' || !logged.includes(text.trim().slice(0, 200)));
}

function memoryLabel({ kind, path }: MemoryFile): string {
  const tail = path.split(/[\\/]/).slice(-2).join('/');
  if (kind === 'agent') return l10n.t('{0} (agent: name and description)', tail);
  return kind === 'skill' ? l10n.t('{0} (skill: name and description)', tail) : l10n.t('{0} (memory file)', tail);
}

function sized(weighed: readonly Weighed[], tokens: number): readonly SystemPiece[] {
  const weights = weighed.map(({ weight }) => weight);
  return divided(tokens, weights).map((share, index) => ({ label: weighed[index]?.label ?? '', tokens: share }));
}

/** Pieces of the same name together, unless they are files. */
function joined(pieces: readonly SystemPiece[]): readonly SystemPiece[] {
  const byName = new Map<string, SystemPiece>();
  for (const piece of pieces) {
    const key = piece.file ?? piece.label;
    const known = byName.get(key);
    byName.set(key, known ? { ...known, tokens: known.tokens + piece.tokens } : piece);
  }
  return [...byName.values()].filter(({ tokens }) => tokens > 0);
}
